#pragma once

#include <QString>
#include <QStringList>

namespace rankdeck
{

// Which runs may be alive, without a look at every run there ever was: an empty file by the name of each, in
// a folder beside that of the runs. Only a hint: what a mark names may have ended, or be gone, and run.json
// says so.

/// Mark a run that is about to be started.
void markLive(const QString &runDirectory);
/// It has ended.
void unmarkLive(const QString &runDirectory);
/// The directories of the runs that are marked.
QStringList markedRuns();

} // namespace rankdeck
