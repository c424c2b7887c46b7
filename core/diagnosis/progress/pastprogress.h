#pragma once

#include "diagnosis/progress/progressreader.h"
#include "diagnosis/progress/rankprogress.h"
#include "run/record/growthmarks.h"
#include "run/record/runstate.h"

namespace rankdeck
{

/// Returns the progress of each process of a plan when its logs had these lengths, from the last lines before
/// that: 8 KiB of each log, up to 1 MiB if these have little progress. So a jump to any time costs the same.
/// Progress that only earlier lines show is absent; steps that restart with each epoch are not added up.
/// @param lengths parallel to plan.processes.
/// @param ms that time, ms since 1970.
/// @param growthFolder growthFolder() of the attempt, for the times of lines; empty: these times are unknown.
std::vector<RankProgress> pastProgress(const LaunchPlan &plan, const ProgressReader &reader,
                                       const std::vector<LogLengths> &lengths, qint64 ms,
                                       const QString &growthFolder);

/// The facts about a run that a comparison shows.
struct ComparedRun {
    RunState state;
    RunProgress progress;
    /// The rank that came farthest, the lowest of several; its curves stand for the run.
    int rank = 0;
    ValueSeries loss;
    ValueSeries stepTime; ///< ms
};

/// Reads a run's record and logs: seconds for gigabytes, not for the GUI thread. Fails if there is no run.
Result<ComparedRun> readComparedRun(const QString &directory);

/// A fact, with its value in each run.
struct ComparisonRow {
    QString name;
    QStringList values; ///< By run; "-" if it is unknown.
    bool isOption = false;
};

/// Returns state, exit code, times, progress, and each option, command and variable that differs; as in JSON.
QList<ComparisonRow> compareRuns(const std::vector<ComparedRun> &runs);

} // namespace rankdeck
