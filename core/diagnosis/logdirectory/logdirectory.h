#pragma once

#include "diagnosis/logdirectory/consolelog.h"
#include "diagnosis/logdirectory/toldranks.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"

#include <QHash>
#include <QTimer>

namespace rankdeck
{

/// The error at the end of a log, by its text. Plain: control characters and invalid bytes are replaced.
struct LoggedError {
    QString message;       ///< One line: "RuntimeError: boom (EI0006: Getting socket times out.)".
    QStringList traceback; ///< Python's traceback, oldest line first; empty when there is none.
    /// When the rank logged its first error, in seconds since 1970; logs are dated in local time, which is
    /// taken to be this machine's. Nothing when no line there is dated.
    std::optional<double> time;

    bool operator==(const LoggedError &) const = default;
};

/// Looks for an error in the last 200 lines of a log, at most 64 KiB: the last Python traceback, or the first
/// line with an error code of CANN or torch_npu, a critical error of MindSpore or a crash reported by Python.
/// Lines marked [ERROR] alone do not count, since programs go on after them, but they date the error.
/// Source: the log formats of MindSpore (GLOG), CANN (plog, E-codes) and torch_npu (ERR-codes).
std::optional<LoggedError> readLoggedError(const QString &path);
/// Returns the error of a process; its error file counts most, then its standard error.
std::optional<LoggedError> readLoggedError(const ProcessPlan &process);

/// A directory of logs that any launcher wrote, or one such log, shown as a run. Its phase is Recorded, or
/// Writing while one of the logs grows; its ranks are Unknown, Writing or Failed, without a pid, and with an
/// exit code only if the launcher's own log has it. Reads names, sizes and ends of files in the caller's
/// thread, and launchers' logs as a whole; writes nothing.
class LogDirectory
{
public:
    /// A log that was written this recently may be written further.
    static constexpr int writingSeconds = 60;

    /// How to show a log with the output of several ranks.
    enum class Show {
        AsItLies, ///< For each rank the whole log.
        Split,    ///< For each rank a copy of its lines, as long as this object lives; see SplitLog.
    };

    explicit LogDirectory(const QString &directory, Show show = Show::AsItLies);

    /// Reads the present state. Fails as findLogs() does, or if it is the directory of a run.
    Result<RunState> open();
    /// Reads the state again. Returns true if it changed; its plan stays the same value unless files have
    /// changed. Missing files leave everything as it was.
    bool update();

    const RunState &state() const { return m_state; }
    /// When the last of the logs was written; UTC.
    const QDateTime &written() const { return m_written; }

private:
    /// Result for the files of a process when they were last written.
    struct Found {
        QDateTime written;
        qint64 bytes = -1;
        std::optional<LoggedError> error;
    };
    Result<LaunchPlan> find();
    std::optional<Error> split(LaunchPlan &plan);
    void work(const LaunchPlan &plan);
    Found foundIn(const ProcessPlan &process) const;
    void takeEnds();
    void judge();

    QString m_directory;
    Show m_show;
    std::map<QString, SplitLog> m_splits; ///< By the log.
    ToldRanks m_told;
    RunState m_state;
    QDateTime m_written;
    QHash<QString, Found> m_found; ///< By log file.
    int m_toldFirst = -1;          ///< The process that a launcher reports as the first to fail; -1: none.
};
/// Watches a directory of logs as RunClient watches a run. Works in its thread: never the GUI thread.
class LogDirectoryWatch : public QObject
{
    Q_OBJECT

public:
    explicit LogDirectoryWatch(const QString &directory);

public Q_SLOTS:
    /// Reads the state, emits stateChanged(), and polls every two seconds.
    void open();

Q_SIGNALS:
    void stateChanged(const rankdeck::RunState &state);
    /// The directory holds no logs; a sentence for the user.
    void failed(const QString &sentence);

private:
    LogDirectory m_logs;
    QTimer m_timer;
};

} // namespace rankdeck
