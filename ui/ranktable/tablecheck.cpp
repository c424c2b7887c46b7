#include "ranktable/tablecheck.h"

#include "ranktable/findingwords.h"
#include "ranktable/severitywords.h"

namespace rankdeck
{

TableCheck TableCheck::of(const CheckReport &report)
{
    TableCheck check;
    check.errors = countOf(report.findings, Severity::Error);
    check.warnings = countOf(report.findings, Severity::Warning);
    check.notes = countOf(report.findings, Severity::Note);
    check.isUsable = !report.unusable;
    for (const Finding &finding : report.findings) {
        if (check.firstErrors.size() == mostTold)
            break;
        if (finding.severity == Severity::Error)
            check.firstErrors += findingLine(finding);
    }
    return check;
}

QString TableCheck::counts() const
{
    QStringList words;
    for (const auto &[severity, count] :
         {std::pair(Severity::Error, errors), std::pair(Severity::Warning, warnings),
          std::pair(Severity::Note, notes)}) {
        if (count > 0)
            words += countWords(severity, count);
    }
    return words.isEmpty() ? countWords(Findings()) : words.join(QStringLiteral(", "));
}

} // namespace rankdeck
