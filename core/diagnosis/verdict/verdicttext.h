#pragma once

#include "diagnosis/verdict/verdict.h"

#include <QString>
#include <QStringList>

namespace rankdeck
{

/// "Rank 3 failed first: ValueError: bad value", "Which rank failed first is undecided (ranks 2,5)", "No
/// failure found": without a full stop.
QString verdictTitle(const Verdict &verdict);

/// Why it is this rank, and how sure that is; empty when no rule decided.
QString verdictReason(const Verdict &verdict);

/// "device 3 on alpha, at train.py, line 3, in main"; empty when nothing is known.
QString verdictPlace(const Verdict &verdict);

/// The title, where, why, what it means and what to do: some ten lines of plain text for a terminal.
QStringList verdictSummary(const Verdict &verdict);

/// All of it as plain text: the summary, the evidence, the ranks by what they say, how they ended.
QString verdictText(const Verdict &verdict, const RunState &state);

/// The same as one HTML page without scripts and without anything from elsewhere; all text escaped.
QString verdictHtml(const Verdict &verdict, const RunState &state);

/// "worker_3.log:120"; with its folder where the name alone does not say of which rank it is.
QString evidencePlace(const Verdict::Evidence &evidence);

} // namespace rankdeck
