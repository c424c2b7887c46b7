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

} // namespace rankdeck
