#include "ranktable/findingwords.h"

#include <QCoreApplication>
#include <QStringList>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("rankdeck::RankTablePage", text);
}

} // namespace

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
        lines += facts.join(QStringLiteral(" · "));
    if (!finding.source.isEmpty())
        lines += tr("Source: %1").arg(finding.source);
    return lines.join(QLatin1Char('\n'));
}

QString findingLine(const Finding &finding)
{
    return finding.line > 0 ? tr("line %1: %2").arg(finding.line).arg(finding.what) : finding.what;
}

} // namespace rankdeck
