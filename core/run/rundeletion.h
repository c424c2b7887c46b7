#pragma once

#include "result.h"

#include <QString>
#include <QStringList>

namespace rankdeck
{

/// What belongs to a run that has ended, and goes when it is deleted.
struct RunFiles {
    QString name;
    QString directory;
    qint64 bytes = 0; ///< Of the files in the run directory.
    /// Logs outside the run directory: files that the run's plan names, that are there, and that no other
    /// run's plan names. They are deleted only when asked for.
    QStringList outsideLogs;
    qint64 outsideBytes = 0;
    int sharedLogs = 0; ///< Such files that another run's plan names as well: they stay.
};

/// Look what deleting a run would remove. Reads the run's files, and with outside logs the other runs'
/// records. Error: it is no run in runsDirectory(), or it is live.
Result<RunFiles> runFiles(const QString &directory);

/// Delete a run, with its logs outside the run directory if asked. The directory is renamed first, so that a
/// run is there wholly or not at all, whatever happens meanwhile; what is left of a deletion that was
/// interrupted goes with the next one. Symbolic links are removed, not followed. Error: nothing was deleted,
/// or something could not be.
std::optional<Error> deleteRun(const QString &directory, bool withOutsideLogs);

} // namespace rankdeck
