#pragma once

#include "diagnosis/catalogue/errorcatalogue.h"

namespace rankdeck
{

struct Failure;

/// A known error explained in one language.
struct FailureExplanation {
    QString id; ///< Id of the catalogue entry; empty when no entry matches.
    QString title;
    QString meaning;
    QString mend;
    QStringList commands;
    QString line{};             ///< The line that matched.
    QString catalogueProblem{}; ///< Why the user's own catalogue was not used: one sentence, else empty.

    bool isKnown() const { return !id.isEmpty(); }
    bool operator==(const FailureExplanation &) const = default;
};

/// Returns the texts of a catalogue's entry; without `line` and `catalogueProblem`.
/// @param values see ErrorEntry::filledIn().
FailureExplanation explanationOf(const ErrorEntry &entry, const QLocale &locale,
                                 const QMap<QString, QString> &values = {});

/// Returns the port that a line names: "10.0.0.2:29500", "port: 29500", "port[60000]"; empty if it names
/// none.
QString portIn(const QString &line);

/// Returns the sentence of an error message that tells what to do, "Please set --size to 1."; empty if it has
/// none.
QString adviceIn(const QString &message);

/// Explains the last output of the failed process (log tail, message and traceback) by the heaviest matching
/// entry and its first line.
FailureExplanation explainFailure(const Failure &failure, const ErrorCatalogue &catalogue,
                                  const QLocale &locale);

/// Returns the explanation as plain text: name, meaning, advice, indented commands. Empty if there is none.
QStringList explanationLines(const FailureExplanation &explanation);

} // namespace rankdeck
