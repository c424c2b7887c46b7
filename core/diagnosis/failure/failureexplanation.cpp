#include "diagnosis/failure/failureexplanation.h"

#include "run/record/failure.h"

#include <QRegularExpression>

namespace rankdeck
{

FailureExplanation explanationOf(const ErrorEntry &entry, const QLocale &locale,
                                 const QMap<QString, QString> &values)
{
    return {entry.id, entry.title.in(locale), entry.meaning.in(locale), entry.mend.in(locale),
            entry.filledIn(values)};
}

QString portIn(const QString &line)
{
    static const QRegularExpression form(
        u"(?i)(?:\\bport['\"]?[ :=\\[(]{1,3}|\\]:|\\d{1,3}(?:\\.\\d{1,3}){3}:|localhost:)(\\d{2,5})\\b(?![:.])"_s);
    const QString port = form.match(line).captured(1);
    return port.toInt() <= 65535 ? port : QString();
}

QString adviceIn(const QString &message)
{
    static const QRegularExpression form(
        u"(?:(?:^|[.!?:;,(—] ?)(?:Please|Try|Consider|Make sure|Ensure|You "
        u"(?:can|may|must|need|should)|Maybe you|"
        "Did you|To "
        "(?:avoid|fix|solve|disable|enable|use|install|load)|Set|Use|Install|Upgrade|Downgrade|Run|"
        "Increase|Decrease|Reduce|Lower|Raise|Adjust|Change|Specify|Pass|Check|Remove|Disable|Enable|Provide|"
        "Add|Update|Switch|Restart)|[ ,(]please) "
        "(?!(?:report|file|open|submit|raise|create) (?:a|an|it|this|the)\\b|see |refer ).{4,}?(?:[.!?](?= "
        "|$)|$)|"
        "(?:请|建议)[^。]{4,}"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression separator(u"^[.!?:;,(— ]+"_s);
    return form.match(message).captured().remove(separator);
}

FailureExplanation explainFailure(const Failure &failure, const ErrorCatalogue &catalogue,
                                  const QLocale &locale)
{
    const ErrorEntry *best = nullptr;
    QString bestLine;
    QStringList lines = failure.logTail + failure.traceback;
    // Otherwise Rankdeck itself wrote the reason, with advice: the catalogue does not apply to it.
    if (failure.rank != Failure::noRank && failure.status.kind != ExitStatus::Kind::NotStarted)
        lines << failure.reason;
    for (const QString &line : lines) {
        const ErrorEntry *entry = catalogue.bestFor(line.toStdString());
        if (entry && (!best || entry->power() > best->power())) {
            best = entry;
            bestLine = line;
        }
    }
    const bool hasDevice = failure.device != ProcessPlan::noDevice;
    const QMap<QString, QString> values{
        {u"device"_s, hasDevice ? QString::number(failure.device.value) : QString()},
        {u"node"_s, failure.node},
        {u"port"_s, portIn(bestLine)},
        {u"pid"_s, failure.pid > 0 ? QString::number(failure.pid) : QString()},
        {u"rank"_s, failure.rank != Failure::noRank ? QString::number(failure.rank.value) : QString()},
        {u"log"_s, failure.logFile}};
    FailureExplanation explanation = best ? explanationOf(*best, locale, values) : FailureExplanation();
    explanation.line = bestLine;
    if (const auto &error = catalogue.userFileError())
        explanation.catalogueProblem = error->sentence();
    return explanation;
}

QStringList explanationLines(const FailureExplanation &explanation)
{
    QStringList lines;
    if (explanation.isKnown()) {
        lines << tr("Known error %1: %2").arg(explanation.id, explanation.title) << explanation.meaning
              << explanation.mend;
        for (const QString &command : explanation.commands)
            lines << u"    "_s + command;
    }
    if (!explanation.catalogueProblem.isEmpty())
        lines << explanation.catalogueProblem;
    return lines;
}

} // namespace rankdeck
