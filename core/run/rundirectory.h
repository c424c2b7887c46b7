#pragma once

#include "result.h"
#include "run/runrecord.h"

#include <QString>

namespace rankdeck
{

/// $XDG_STATE_HOME/rankdeck/runs, else ~/.local/state/rankdeck/runs.
QString runsDirectory();

/// $XDG_RUNTIME_DIR/rankdeck, else a 0700 directory of this user's under the temporary directory: a socket's
/// path ends at 107 bytes and a home may be a network file system. Made when missing. Error: it belongs to
/// somebody else, or cannot be made.
Result<QString> socketDirectory();

/// Make runsDirectory()/<yyyymmdd-hhmmss>-<name> (0700, never an existing one). Fills in the record's name,
/// created, socketPath, and its plan's paths under runDirectoryPlaceholder. Writes nothing into it. Returns
/// its path.
Result<QString> createRunDirectory(RunRecord &record);

/// Make the directory, 0700, that a node which does not see the run directory has instead, for a run of this
/// name: $XDG_STATE_HOME/rankdeck/nodes/<name>. Error: it belongs to somebody else, or cannot be made.
Result<QString> makeNodeRunDirectory(const QString &runName);

/// Make $XDG_STATE_HOME/rankdeck/bundles, 0700, for report bundles that are looked at; returns its path.
/// Error: it belongs to somebody else, or cannot be made.
Result<QString> makeBundlesDirectory();

/// The append-only list of events in a run directory.
QString journalPath(const QString &directory);

} // namespace rankdeck
