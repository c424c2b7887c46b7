#include "ranktable/reading/findingcollector.h"

#include <algorithm>
#include <utility>

namespace rankdeck
{

bool FindingCollector::isKept(const Rule &rule, Effect effect)
{
    return ++m_counts[&rule] <= keptOfARule || (effect == Effect::Unusable && !m_unusable);
}

void FindingCollector::add(const Rule &rule, JsonValue at, const QString &what, const QString &mend,
                           Effect effect)
{
    if (isKept(rule, effect))
        keep(rule, at.place(), at.pointer(), what, mend, effect);
}

void FindingCollector::add(const Rule &rule, const JsonDocument &document, qsizetype offset,
                           const QString &what, const QString &mend, Effect effect)
{
    if (isKept(rule, effect))
        keep(rule, document.place(offset), {}, what, mend, effect);
}

void FindingCollector::add(const Rule &rule, const QString &what, const QString &mend)
{
    if (isKept(rule, Effect::Usable))
        keep(rule, {}, {}, what, mend, Effect::Usable);
}

void FindingCollector::keep(const Rule &rule, TextPlace at, const QString &pointer, const QString &what,
                            const QString &mend, Effect effect)
{
    m_findings.push_back({rule.severity, QString::fromLatin1(rule.name), pointer, at.line, at.column, what,
                          mend, QString::fromLatin1(rule.source), QString::fromLatin1(rule.code)});
    if (effect == Effect::Unusable && !m_unusable)
        m_unusable = m_findings.back();
}

Findings FindingCollector::take()
{
    std::ranges::stable_sort(m_findings, {},
                             [](const Finding &each) { return std::pair(each.line, each.column); });
    for (auto count = m_counts.cbegin(); count != m_counts.cend(); ++count) {
        if (*count <= keptOfARule)
            continue;
        const auto last = std::find_if(m_findings.rbegin(), m_findings.rend(), [&](const Finding &finding) {
            return finding.rule == QLatin1String(count.key()->name);
        });
        last->more = *count - keptOfARule;
        last->what = tr("%1 (and %2 more like this)").arg(last->what).arg(last->more);
    }
    return std::move(m_findings);
}

} // namespace rankdeck
