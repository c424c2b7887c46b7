#pragma once

#include "diagnosis/verdict/verdictrules.h"

namespace rankdeck
{

struct RunState;

/// Groups ranks that report the same error; numbers, addresses, rank ids and paths are ignored. Order: own
/// errors, then waiting for others, then no error; smaller groups first.
std::vector<Verdict::Group> errorGroups(const Case &evidence, const ErrorCatalogue &catalogue,
                                        const QLocale &locale);

/// "7 ranks (0-2,4-7): EI0006 waiting for rank 3": a group in one line.
QString groupWords(const Verdict::Group &group);

/// "Rank 3 failed first: ValueError: bad value", "No failure found": without a full stop.
Sentence verdictTitle(const Verdict &verdict);

/// Returns that line without what happened: "Rank 6 hung at step 20 (silent 5 s)", "All ranks failed alike".
Sentence verdictHeadline(const Verdict &verdict);

/// "Stacks of rank 6 while it hung"
QString stacksHeading(const Verdict &verdict);

/// Returns the last lines of the log of the process that the verdict names, as far as they are known.
QStringList lastLinesOf(const Verdict &verdict, const RunState &state);

/// Returns the log of the process that the verdict names; empty if there is none.
QString logOf(const Verdict &verdict, const RunState &state);

/// Returns texts for short views in place of exits, by process: "hung, ended", "exit code 1 · ValueError: x".
QHash<int, QString> rankFindings(const Verdict &verdict, const RunState &state);

/// Returns why it is this rank, and how sure that is; empty if no rule decided.
QString verdictReason(const Verdict &verdict);

/// "attempt 0, device 3 on alpha, at train.py, line 3, in main"; empty when nothing is known.
QString verdictPlace(const Verdict &verdict);

/// Returns title, place, reason, meaning and advice: some ten lines of plain text for a terminal.
QStringList verdictSummary(const Verdict &verdict);

/// Lines on one aspect of a verdict.
struct VerdictSection {
    QString heading; ///< Without a colon.
    QStringList lines;
};

/// Returns the basis of a verdict: evidence, traceback, groups, exits and so on; only sections with lines.
std::vector<VerdictSection> verdictSections(const Verdict &verdict, const RunState &state);

/// Returns the whole verdict as plain text: summary, evidence, groups, exits.
QString verdictText(const Verdict &verdict, const RunState &state);

/// Returns "worker_3.log:120"; with its folder if the name alone does not show the rank.
QString evidencePlace(const Verdict::Evidence &evidence);

} // namespace rankdeck
