#include "diagnosis/failureexplanation.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("FailureExplanation", text);
}

/// Rankdeck's own sentences name their mend themselves, and what they quote of the system is no line of a
/// process: what explains such a line does not explain them.
bool isReasonOurs(const Failure &failure)
{
    return failure.rank == Failure::noRank || failure.status.kind == ExitStatus::Kind::NotStarted;
}

} // namespace

FailureExplanation explainFailure(const Failure &failure, const ErrorCatalogue &catalogue,
                                  const QLocale &locale)
{
    FailureExplanation explanation;
    if (const auto &error = catalogue.userFileError())
        explanation.catalogueProblem = error->sentence();
    const ErrorEntry *best = nullptr;
    QStringList lines = failure.logTail + failure.traceback;
    if (!isReasonOurs(failure))
        lines << failure.reason;
    for (const QString &line : lines) {
        const ErrorEntry *entry = catalogue.bestFor(line.toStdString());
        if (entry && (!best || entry->weight > best->weight)) {
            best = entry;
            explanation.line = line;
        }
    }
    if (best) {
        explanation.id = best->id;
        explanation.title = best->title.in(locale);
        explanation.meaning = best->meaning.in(locale);
        explanation.mend = best->mend.in(locale);
        explanation.commands = best->commands;
    }
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
            lines << QStringLiteral("    ") + command;
    }
    if (!explanation.catalogueProblem.isEmpty())
        lines << explanation.catalogueProblem;
    return lines;
}

} // namespace rankdeck
