#pragma once

#include "diagnosis/progress/progresslogs.h"
#include "diagnosis/verdict/verdict.h"
#include "run/samples/nodehistory.h"

namespace rankdeck
{

struct RunState;

/// The curves of a run that a report shows, over its steps and its time.
struct RunCurves {
    /// Most ranks with curves: more cannot be told apart.
    static constexpr int most = 12;

    std::vector<RankProgress> ranks; ///< By process; empty if the progress was not read.
    ProgressCurves progress;         ///< Curves of the ranks that print progress.
    SampleCurves samples;
    int progressRanks = 0; ///< Number of ranks that print progress.
    int sampledRanks = 0;  ///< Number of ranks that may have samples.
};

/// Reads the logs and samples of a run. The rank that the verdict names has curves, then the lowest ones.
/// Blocks as long as it takes to read what is not kept of the ranks' logs. Once it is cancelled, there are no
/// curves over steps.
RunCurves readRunCurves(const RunState &state, const Verdict &verdict, const LongReading &reading = {});

/// Returns the report on a run, or on logs of another launcher, as one HTML page without scripts or external
/// content: the launch, its result with the reason, its ranks, its curves and its events. Escapes all text,
/// masks nothing. Reads the last line of each log and the journal. Blocks.
/// @param shown the plan of the state as the page may show it.
QByteArray reportPage(const RunState &state, const LaunchPlan &shown, const Verdict &verdict,
                      const RunCurves &curves);

} // namespace rankdeck
