#pragma once

#include "log/logmark.h"

#include <QList>
#include <QString>

namespace rankdeck
{

/// Marks for where lines may be missing in a process's log, or in its standard error where that is apart:
/// logGaps() of the run's growth folder. Reads a file; not for the GUI thread.
QList<LogMark> gapMarks(const QString &growthFolder, int process, bool isError);

} // namespace rankdeck
