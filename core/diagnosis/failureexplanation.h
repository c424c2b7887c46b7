#pragma once

#include "diagnosis/catalogue/errorcatalogue.h"
#include "run/runstate.h"

#include <QLocale>

namespace rankdeck
{

/// What the catalogue says of a failure, in one language.
struct FailureExplanation {
    QString id; ///< Of the catalogue's entry; empty when nothing is known.
    QString title;
    QString meaning;
    QString mend;
    QStringList commands;
    QString line;             ///< The one that tells of it.
    QString catalogueProblem; ///< Why the user's own catalogue was not used: one sentence, else empty.

    bool isKnown() const { return !id.isEmpty(); }
    bool operator==(const FailureExplanation &) const = default;
};

/// What the failed process wrote last (log tail, its own message and traceback) as the catalogue explains it:
/// the heaviest entry, and of its lines the first.
FailureExplanation explainFailure(const Failure &failure, const ErrorCatalogue &catalogue,
                                  const QLocale &locale);

/// The same with ErrorCatalogue::load(), which reads a file, in the language of the program.
FailureExplanation explainFailure(const Failure &failure);

/// The explanation as lines of plain text: what it is, what it means, what to do, commands indented. Empty
/// when there is nothing to say.
QStringList explanationLines(const FailureExplanation &explanation);

} // namespace rankdeck
