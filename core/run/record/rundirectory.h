#pragma once

#include "run/record/runrecord.h"

namespace rankdeck
{

// Marks say which runs may be alive, so that not every run has to be read: a file with the name of the run,
// in a folder beside that of the runs. Only a hint: the run may have ended, which run.json says, or be
// deleted.

/// Marks a run that is about to start.
/// @param starter the process that is to become its supervisor, once it is known.
void markLive(const QString &runDirectory, const std::optional<SupervisorId> &starter = {});
/// Returns nothing if the run has no mark, or one that names no process.
std::optional<SupervisorId> starterOf(const QString &runDirectory);
/// Removes the mark of a run that has ended.
void unmarkLive(const QString &runDirectory);
QStringList markedRuns();

/// $XDG_STATE_HOME/rankdeck/runs, else ~/.local/state/rankdeck/runs.
QString runsDirectory();

/// Returns $XDG_RUNTIME_DIR/rankdeck, else a 0700 directory of this user's under the temporary directory: a
/// socket's path ends at 107 bytes and a home may be a network file system. Makes it if it is missing. Fails
/// if it belongs to another user, or cannot be made.
Result<QString> socketDirectory();

/// Returns a descriptor that is connected to the socket at `path`; -1 if nobody listens there.
/// @param flags SOCK_NONBLOCK or 0.
int connectedTo(const QString &path, int flags = 0);

/// Makes runsDirectory()/<yyyymmdd-hhmmss>-<name> (0700, never an existing one) and returns its path. Sets
/// the record's name, created, socketPath, and its plan's paths under runDirectoryPlaceholder. Writes nothing
/// into the directory.
Result<QString> createRunDirectory(RunRecord &record);

/// Makes the directory, 0700, that replaces the run directory on a node which does not see it:
/// $XDG_STATE_HOME/rankdeck/nodes/<name>. Fails if it belongs to another user or cannot be made.
Result<QString> makeNodeRunDirectory(const QString &runName);

/// Makes $XDG_STATE_HOME/rankdeck/bundles, 0700, for opened report bundles, and returns its path. Fails if it
/// belongs to another user or cannot be made.
Result<QString> makeBundlesDirectory();

/// The append-only list of events in a run directory.
QString journalPath(const QString &directory);
/// The verdict on a failed run in its directory. See verdictOf().
QString verdictPath(const QString &directory);

} // namespace rankdeck
