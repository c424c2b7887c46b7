#include "diagnosis/failure/failureexplanation.h"

#include "run/record/failure.h"

namespace rankdeck
{

FailureExplanation explanationOf(const ErrorEntry &entry, const QLocale &locale)
{
    return {entry.id, entry.title.in(locale), entry.meaning.in(locale), entry.mend.in(locale),
            entry.commands};
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
        if (entry && (!best || entry->weight > best->weight)) {
            best = entry;
            bestLine = line;
        }
    }
    FailureExplanation explanation = best ? explanationOf(*best, locale) : FailureExplanation();
    explanation.line = bestLine;
    if (const auto &error = catalogue.userFileError())
        explanation.catalogueProblem = error->sentence();
    return explanation;
}

FailureExplanation explainFailure(const Failure &failure)
{
    return explainFailure(failure, ErrorCatalogue::load(), QLocale());
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
