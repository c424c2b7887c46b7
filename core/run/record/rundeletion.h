#pragma once

#include "base/result.h"
#include "run/record/runcatalog.h"

namespace rankdeck
{

/// How long runs are kept after their end.
struct KeepSetting {
    static constexpr int mostDays = 36500;

    std::optional<int> days; ///< 1 .. mostDays; nothing: forever.

    bool operator==(const KeepSetting &) const = default;
};

/// Reads $XDG_CONFIG_HOME/rankdeck/runs.json, {"keep_days": 30}; forever if the file does not exist. Fails if
/// it cannot be read or contains something else.
Result<KeepSetting> loadKeepSetting();
std::optional<Error> saveKeepSetting(const KeepSetting &setting);

/// Returns the runs that ended longer ago than the setting says; never live runs or runs without an end.
QList<RunSummary> expiredRuns(QList<RunSummary> runs, const KeepSetting &setting, const QDateTime &now);

/// Deletes the runs that are expired now, without logs outside their run directories. Returns their names.
/// Fails if the setting cannot be read, and nothing was deleted; or with the first run that could not be
/// deleted.
Result<QStringList> deleteExpiredRuns();

/// The files of an ended run that are deleted with it.
struct RunFiles {
    QString name;
    QString directory;
    qint64 bytes = 0; ///< Bytes of the files in the run directory.
    /// Logs outside the run directory: files that the run's plan names, that are there, and that no other
    /// run's plan names. They are deleted only when asked for.
    QStringList outsideLogs;
    qint64 outsideBytes = 0;
    int sharedLogs = 0; ///< Number of outside logs that another run's plan names as well: they stay.
};

/// Lists what deleting a run would remove. Reads the run's files, and with outside logs the other runs'
/// records. Fails if it is not a run in runsDirectory(), or is live.
Result<RunFiles> runFiles(const QString &directory);

/// Deletes a run, optionally with its logs outside the run directory. The directory is renamed first, so that
/// a run exists completely or not at all; the rest of an interrupted deletion is removed by the next one.
/// Symbolic links are removed, not followed. Fails if nothing was deleted, or something could not be.
std::optional<Error> deleteRun(const QString &directory, bool withOutsideLogs);

} // namespace rankdeck
