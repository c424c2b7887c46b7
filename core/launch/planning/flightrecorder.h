#pragma once

#include "launch/planning/attempt.h"
#include "launch/planning/commonplan.h"

namespace rankdeck
{

// The flight recorders of torch and torch_npu keep the last collectives of each rank. Sources: torch_npu,
// ProcessGroupHCCL and its list of environment variables; torch, ProcessGroupNCCL and FlightRecorder. An
// older one ignores what it does not know.

/// Sets the variables that switch the recorders on, by --flight-recorder: each rank keeps 2,000 collectives,
/// dumps them when something is written to its pipe and at a time-out, and writes where it is every two
/// seconds. All their files are in the run directory. Variables that the user set, or unset, are left alone;
/// a note says which.
void setUpRecorders(LaunchPlan &plan, const LaunchGround &ground);

/// Whether setUpRecorders() has set any variable of the plan's processes.
bool hasRecorders(const LaunchPlan &plan);

/// The folder of the dumps, pipes and status files of an attempt.
QString recorderFolder(const QString &runDirectory, const LaunchPlan &plan, int attempt);
/// The same of a run that is read: a report bundle has no folders for attempts.
QString writtenRecorderFolder(const QString &runDirectory, const LaunchPlan &plan, int attempt);
/// The status files of torch_npu, below that.
QString recorderStatusFolder(const QString &recorderFolder);

/// Where the ranks of a recorder wait for orders, and where they dump: the rank follows, and ".pipe" in the
/// name of a pipe.
struct RecorderPrefixes {
    QString pipe;
    QString dump;
    bool operator==(const RecorderPrefixes &) const = default;
};
/// Returns those of the processes of a node, each once; absolute paths.
/// @param environment that the processes' own variables change.
std::vector<RecorderPrefixes> recorderPrefixes(const LaunchPlan &plan, const QString &node,
                                               const QProcessEnvironment &environment);

} // namespace rankdeck
