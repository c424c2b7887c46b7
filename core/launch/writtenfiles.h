#pragma once

#include "launch/launchplan.h"

#include <QStringList>

namespace rankdeck
{

inline constexpr int writtenFileCount = 3;

/// The files that a process writes for others to read: its log, its standard error where that is apart, and
/// its error file; writtenFileCount of them, empty where it has none.
QStringList writtenFiles(const ProcessPlan &process);
/// As many; a process without an error file gets none.
void setWrittenFiles(ProcessPlan &process, const QStringList &files);

inline constexpr int hookLogCount = 2;

/// The logs of what `node` runs before and after its processes; hookLogCount of them, empty where it runs
/// none.
QStringList hookLogs(const LaunchPlan &plan, const QString &node);

} // namespace rankdeck
