#pragma once

#include "ranktable/finding.h"
#include "ranktable/jsondocument.h"
#include "ranktable/rules/rules.h"
#include "result.h"

#include <QHash>

#include <optional>

namespace rankdeck
{

/// Takes what rules notice: keeps the first hundred findings of each, counts the others, and remembers the
/// first that makes the table unusable.
class FindingCollector
{
public:
    static constexpr int keptOfARule = 100;

    /// Whether a launch is possible in spite of the finding, as far as Rankdeck itself is concerned.
    enum class Effect { Usable, Unusable };

    void add(const Rule &rule, JsonValue at, const QString &what, const QString &mend = {},
             Effect effect = Effect::Usable);
    void add(const Rule &rule, const JsonDocument &document, qsizetype offset, const QString &what,
             const QString &mend, Effect effect = Effect::Usable);
    /// About the file as a whole.
    void add(const Rule &rule, const QString &what, const QString &mend);

    /// The finding for which the table cannot be used.
    const std::optional<Finding> &unusable() const { return m_unusable; }
    /// All that was kept, in the order of places, with a word on what was not.
    Findings take();

private:
    /// Counts the finding; whether it is one of those that are kept.
    bool isKept(const Rule &rule, Effect effect);
    void keep(const Rule &rule, TextPlace at, const QString &pointer, const QString &what,
              const QString &mend, Effect effect);

    Findings m_findings;
    QHash<const Rule *, int> m_counts;
    std::optional<Finding> m_unusable;
};

} // namespace rankdeck
