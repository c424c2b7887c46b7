#include "ranktable/finding.h"

#include <algorithm>

namespace rankdeck
{

QString severityName(Severity severity)
{
    switch (severity) {
    case Severity::Note:
        return QStringLiteral("note");
    case Severity::Warning:
        return QStringLiteral("warning");
    case Severity::Error:
        return QStringLiteral("error");
    }
    Q_UNREACHABLE();
}

int countOf(const Findings &findings, Severity severity)
{
    return static_cast<int>(std::count_if(findings.begin(), findings.end(), [&](const Finding &finding) {
        return finding.severity == severity;
    }));
}

} // namespace rankdeck
