#include "ranktable/findingtext.h"

#include "output.h"

#include <QCoreApplication>

#include <array>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("findingtext", text);
}

struct CountWords {
    Severity severity;
    const char *one;
    const char *many;
};

constexpr std::array countWords{
    CountWords{Severity::Error, QT_TRANSLATE_NOOP("findingtext", "1 error"),
               QT_TRANSLATE_NOOP("findingtext", "%1 errors")},
    CountWords{Severity::Warning, QT_TRANSLATE_NOOP("findingtext", "1 warning"),
               QT_TRANSLATE_NOOP("findingtext", "%1 warnings")},
    CountWords{Severity::Note, QT_TRANSLATE_NOOP("findingtext", "1 note"),
               QT_TRANSLATE_NOOP("findingtext", "%1 notes")},
};

} // namespace

QString findingLine(const QString &file, const Finding &finding)
{
    QString line = file;
    if (finding.line > 0)
        line += QStringLiteral(":%1:%2").arg(finding.line).arg(finding.column);
    line += QStringLiteral(": %1: %2").arg(severityName(finding.severity), finding.what);
    if (!finding.mend.isEmpty())
        line += QLatin1Char(' ') + finding.mend;
    if (!finding.code.isEmpty())
        line += QStringLiteral(" [%1]").arg(finding.code);
    return visibleText(line + QStringLiteral(" (%1)").arg(finding.rule));
}

QString findingsSummary(const Findings &findings)
{
    QStringList counts;
    for (const CountWords &words : countWords) {
        const int count = countOf(findings, words.severity);
        if (count > 0)
            counts << (count == 1 ? tr(words.one) : tr(words.many).arg(count));
    }
    return counts.isEmpty() ? tr("no findings") : counts.join(QStringLiteral(", "));
}

} // namespace rankdeck
