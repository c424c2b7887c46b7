#pragma once

#include "result.h"
#include "run/runstate.h"

#include <QString>

#include <memory>

namespace rankdeck
{

/// $XDG_STATE_HOME/rankdeck/runs, else ~/.local/state/rankdeck/runs.
QString runsDirectory();
/// $XDG_RUNTIME_DIR/rankdeck, else a 0700 directory of this user's under the temporary directory: a socket's
/// path ends at 107 bytes and a home may be a network file system.
QString socketDirectory();

/// Who watches over a run. The start time tells a living supervisor from a stranger with its pid.
struct SupervisorId {
    QString host;
    qint64 pid = 0;
    quint64 startTime = 0; ///< Field 22 of /proc/PID/stat, clock ticks since boot.
    bool operator==(const SupervisorId &) const = default;
};

/// This process.
SupervisorId thisSupervisor();
/// False when its process is gone; true on another host, where nobody can tell from here.
bool isAlive(const SupervisorId &supervisor);

/// run.json: what was asked, what was planned, who supervises it, how it ended.
struct RunRecord {
    QString name;
    LaunchSpec spec;
    LaunchPlan plan;
    QDateTime created;
    std::optional<SupervisorId> supervisor; ///< Absent until the supervisor runs.
    QString socketPath;
    RunPhase phase = RunPhase::Starting;
    QDateTime ended;
    int exitCode = 0;
    std::optional<Failure> failure;
};

/// Make `runsDirectory()/<yyyymmdd-hhmmss>-<name>` (0700, never an existing one) with its run.json.
/// Fills in record.name, created, socketPath, and the logs' directory where the plan left it to the run.
Result<QString> createRunDirectory(RunRecord &record);
/// Replace run.json by renaming a whole new one over it.
Result<QString> writeRunRecord(const QString &directory, const RunRecord &record);
Result<RunRecord> readRunRecord(const QString &directory);

/// The journal's path in a run directory.
QString journalPath(const QString &directory);

/// Rebuilds a RunState from a run directory, and follows the journal as it grows. Reads files in the caller's
/// thread; a torn last line is left for the next call.
class RunReader
{
public:
    explicit RunReader(QString directory);

    /// Everything so far. Error: no run there.
    Result<RunState> open();
    /// Read what was added. True when the state changed.
    bool update();
    const RunState &state() const { return m_state; }
    const RunRecord &record() const { return m_record; }

private:
    bool readJournal();
    void settle();

    QString m_directory;
    RunRecord m_record;
    RunState m_state;
    qint64 m_offset = 0;
    QByteArray m_partial;
};

} // namespace rankdeck
