#pragma once

#include "diagnosis/progress/rankprogress.h"
#include "diagnosis/verdict/verdict.h"
#include "run/samples/nodehistory.h"

#include <functional>

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
/// Blocks as long as it takes to read all logs of the ranks.
/// @param isCancelled asked now and then; may be null. Once it returns true, what was read so far counts.
RunCurves readRunCurves(const RunState &state, const Verdict &verdict,
                        const std::function<bool()> &isCancelled = {});

} // namespace rankdeck
