#include "ranktable/table/finding.h"

#include <algorithm>
#include <array>

namespace rankdeck
{

QString severityName(Severity severity)
{
    static constexpr std::array names{"note", "warning", "error"};
    return QString::fromLatin1(names.at(static_cast<std::size_t>(severity)));
}

int countOf(const Findings &findings, Severity severity)
{
    return static_cast<int>(std::count_if(findings.begin(), findings.end(), [&](const Finding &finding) {
        return finding.severity == severity;
    }));
}

} // namespace rankdeck
