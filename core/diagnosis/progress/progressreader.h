#pragma once

#include "base/result.h"
#include "diagnosis/progress/progressline.h"

#include <memory>

namespace rankdeck
{

/// Reads progress from lines of logs. Cheap for lines without progress: no regular expression is run on them
/// and no memory allocated. Copies share the pattern; any thread may use them.
class ProgressReader
{
public:
    /// For the forms of readProgressLine() and readProgressBar().
    ProgressReader() = default;
    /// For lines of `pattern` (see progressPatternNames(), progressPatternError()); empty: as the default.
    static Result<ProgressReader> create(const QString &pattern);

    /// @param line without its end; for a progress bar, the text between two carriage returns.
    std::optional<ProgressPoint> read(QByteArrayView line) const;
    /// Returns its pattern as a regular expression; empty for the known forms.
    QByteArray pattern() const;

private:
    struct Pattern;
    std::shared_ptr<const Pattern> m_pattern;
};

} // namespace rankdeck
