#pragma once

#include "launch/plan/launchplan.h"

namespace rankdeck
{

inline constexpr int writtenFileCount = 4;

/// Returns the writtenFileCount files that a process writes for others to read: its log, its separate
/// standard error, its error file, and its function's return value; empty names for those that it does not
/// have.
QStringList writtenFiles(const ProcessPlan &process);
/// Sets the same files; a process without an error file or a return value gets none.
void setWrittenFiles(ProcessPlan &process, const QStringList &files);

inline constexpr int hookLogCount = 2;

/// Returns the hookLogCount logs of the hooks that `node` runs before and after its processes; an empty name
/// if it runs none.
QStringList hookLogs(const LaunchPlan &plan, const QString &node);

// A launch with restarts is planned once for all its attempts. They differ only in the attempt's number,
// which is attemptPlaceholder in the plan.

/// The number of an attempt: 0 for the first, one more for each restart.
inline constexpr char attemptPlaceholder[] = "{attempt}";

/// Tells a rank how often its group has been restarted; torch elastic's name.
inline constexpr char restartCountVariable[] = "TORCHELASTIC_RESTART_COUNT";

/// Below the run directory: what the flight recorders write.
inline constexpr char recorderFolderName[] = "/flight-recorder";

/// Returns the name of the folder for an attempt's files, "attempt_3", as torch names it; `attempt` may be
/// the placeholder.
QString attemptFolder(const QString &attempt);

/// Returns `plan` with the attempt's number filled in, also in its hooks. A plan without restarts is
/// unchanged.
LaunchPlan forAttempt(LaunchPlan plan, int attempt);

/// Returns a path of `plan` with the attempt's number filled in.
QString forAttempt(const LaunchPlan &plan, QString path, int attempt);

} // namespace rankdeck
