#pragma once

#include "diagnosis/progress/rankprogress.h"
#include "run/record/runstate.h"

namespace rankdeck
{

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
