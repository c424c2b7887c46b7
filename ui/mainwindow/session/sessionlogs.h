#pragma once

#include "background/iothread.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "log/file/logfollower.h"
#include "log/merge/mergedlines.h"
#include "run/record/growthmarks.h"

#include <QPointer>
#include <QSet>

namespace rankdeck
{

/// Where the run that a session shows comes from.
enum class RunSource { Run, Logs, Bundle, Replay };

/// Reads the errors of processes that have failed, in the log thread.
class FailureReader : public QObject
{
    Q_OBJECT

public:
    void read(int process, const ProcessPlan &plan);

Q_SIGNALS:
    /// `text`: "RuntimeError: boom".
    void told(int process, const QString &text);
};

/// The followers of the logs of one run; they live in the log thread.
class SessionLogs : public QObject
{
    Q_OBJECT

public:
    /// Logs that are followed for their last line alone. Each costs an open file and ten polls a second.
    static constexpr int maxLastLines = 256;

    /// @param thread must outlive this object.
    SessionLogs(RunSource source, IoThread &thread, QObject *parent);

    /// Another plan than before replaces all followers.
    void setState(const RunState &state);
    /// Sets how much of each log is shown from now on, in a replay.
    void setLengths(const std::vector<LogLengths> &lengths);
    /// Returns the visible part of the log of a process, or of its standard error; null: all of it.
    LogLimit limitOf(int process, bool isError) const;
    /// Starts or finishes all followers, as mayGrow() of the run changed or its logs were fetched completely.
    void setGrowing(bool mayGrow);

    /// Returns the follower of the log of a process or a tool, created on first use. It lives until the plan
    /// is replaced. Null if there is no such process.
    LogFollower *log(int process);
    /// The same for standard error; also null if the process has no separate one.
    LogFollower *errorLog(int process);
    /// Returns standard output and standard error of a process as one log, ordered by time; lives as long as
    /// log(). Null if the process has no separate standard error.
    MergedLines *bothLogs(int process);
    /// Returns the logs that bothLogs() joins, standard output first.
    std::vector<MergedSpec::Log> bothSpecs(int process) const;
    /// Starts to read lines of several logs; they are finished with the run.
    RemoteOwner<MergedLines> merge(const MergedSpec &spec);
    /// Returns the log of a process, or its standard error, as merge() takes it.
    MergedSpec::Log mergedLog(int process, bool isError) const;
    /// Sets the processes whose last line is on screen; of up to maxLastLines processes, all are followed.
    void followLastLines(const QList<int> &processes);

Q_SIGNALS:
    /// Emitted with the last line of a process's log; for a failed process, with the line about its failure.
    void lastLine(int process, const QString &line);

private:
    using Followers = std::vector<RemoteOwner<LogFollower>>;

    void restart();
    LogFollower *follow(int process);
    void dropUnseen();
    void startFollowing(LogFollower *follower, int process, bool isError);
    void markGaps(LogFollower *follower, int process, bool isError);
    void markBothGaps(MergedLines *lines, int process);
    void markAllGaps();
    void askForFailures();
    void tellLastLine(int process, const QString &line);
    QString growthFolder() const;
    /// Returns true if the logs may grow; in a replay they do in any state of the run.
    bool isGrowing() const { return m_source == RunSource::Replay || mayGrow(m_state.phase); }

    RunSource m_source;
    IoThread &m_thread;
    RunState m_state;
    Followers m_logs; ///< By process; null until asked for.
    Followers m_errorLogs;
    std::vector<RemoteOwner<MergedLines>> m_bothLogs; ///< By process, as m_logs.
    /// In a replay, by process: how many bytes are shown of its log, and of its standard error.
    std::vector<std::array<std::shared_ptr<std::atomic<qint64>>, 2>> m_limits;
    RemoteOwner<FailureReader> m_failures;
    QHash<int, QString> m_failureTexts; ///< Failure texts of processes, shown in place of the last line.
    QList<QPointer<MergedLines>> m_merged;
    QSet<int> m_forLastLine; ///< Processes whose follower log() has not handed out.
    QList<int> m_seen;       ///< Processes whose last line is on screen.
};

} // namespace rankdeck
