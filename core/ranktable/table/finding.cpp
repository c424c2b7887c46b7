#include "ranktable/table/finding.h"

#include "base/listcomma.h"

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
    int count = 0;
    for (const Finding &finding : findings)
        count += finding.severity == severity ? 1 + finding.more : 0;
    return count;
}

QString severityWord(Severity severity)
{
    const std::array words{tr("Note"), tr("Warning"), tr("Error")};
    return words.at(static_cast<std::size_t>(severity));
}

QString countWords(Severity severity, int count)
{
    const std::array words{tr("%n notes", "%n note", count), tr("%n warnings", "%n warning", count),
                           tr("%n errors", "%n error", count)};
    return words.at(static_cast<std::size_t>(severity));
}

QString countWords(int errors, int warnings, int notes)
{
    QStringList words;
    for (const auto &[severity, count] :
         {std::pair(Severity::Error, errors), std::pair(Severity::Warning, warnings),
          std::pair(Severity::Note, notes)}) {
        if (count > 0)
            words += countWords(severity, count);
    }
    return words.isEmpty() ? tr("no findings") : words.join(listComma());
}

QString countWords(const Findings &findings)
{
    return countWords(countOf(findings, Severity::Error), countOf(findings, Severity::Warning),
                      countOf(findings, Severity::Note));
}

QString findingDetail(const Finding &finding)
{
    QStringList lines{finding.what};
    if (!finding.mend.isEmpty())
        lines += finding.mend;
    QStringList facts;
    if (finding.line > 0)
        facts += finding.column > 0 ? tr("line %1, column %2").arg(finding.line).arg(finding.column)
                                    : tr("line %1").arg(finding.line);
    if (!finding.pointer.isEmpty())
        facts += finding.pointer;
    if (!finding.code.isEmpty())
        facts += tr("shown by the library as %1").arg(finding.code);
    if (!finding.rule.isEmpty())
        facts += tr("rule %1").arg(finding.rule);
    if (!facts.isEmpty())
        lines += facts.join(u" · "_s);
    if (!finding.source.isEmpty())
        lines += tr("Source: %1").arg(finding.source);
    return lines.join('\n'_L1);
}

QString findingLine(const Finding &finding)
{
    return finding.line > 0 ? tr("line %1: %2").arg(finding.line).arg(finding.what) : finding.what;
}

} // namespace rankdeck
