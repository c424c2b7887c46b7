#include "ranktable/severitywords.h"

#include <QCoreApplication>
#include <QStringList>

namespace rankdeck
{

namespace
{

QString tr(const char *text, int count = -1)
{
    return QCoreApplication::translate("rankdeck::RankTablePage", text, nullptr, count);
}

} // namespace

QString severityWord(Severity severity)
{
    switch (severity) {
    case Severity::Note:
        return tr("Note");
    case Severity::Warning:
        return tr("Warning");
    case Severity::Error:
        break;
    }
    return tr("Error");
}

QString countWords(Severity severity, int count)
{
    switch (severity) {
    case Severity::Note:
        return count == 1 ? tr("1 note") : tr("%n notes", count);
    case Severity::Warning:
        return count == 1 ? tr("1 warning") : tr("%n warnings", count);
    case Severity::Error:
        break;
    }
    return count == 1 ? tr("1 error") : tr("%n errors", count);
}

QString countWords(const Findings &findings)
{
    QStringList words;
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
        if (const int count = countOf(findings, severity); count > 0)
            words += countWords(severity, count);
    }
    return words.isEmpty() ? tr("no findings") : words.join(QStringLiteral(", "));
}

} // namespace rankdeck
