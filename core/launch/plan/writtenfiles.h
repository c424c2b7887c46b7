#pragma once

#include "base/tr.h"

namespace rankdeck
{

struct LaunchPlan;
struct ProcessPlan;

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

} // namespace rankdeck
