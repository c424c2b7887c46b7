#pragma once

#include "agent/stacks/stacktools.h"
#include "base/oneshottimer.h"
#include "base/ranks.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTimer>

#include <deque>
#include <memory>

namespace rankdeck
{

struct RunEvent;

/// Returns faulthandler's output in these lines of a log, without other lines among it; empty if there is
/// none.
QByteArray faulthandlerLines(const QByteArray &log);

/// Sends a process the signal that its faulthandler is registered for, and takes what that writes from the
/// end of its log.
class SignalledStacks : public QObject
{
    Q_OBJECT

public:
    /// @param log where the process's standard error goes.
    SignalledStacks(const ProcessLook &process, int signalNumber, QString log);

    /// Sends the signal, unless the pid now belongs to another process or the process no longer has a
    /// handler: without one the signal would end it.
    void start();

Q_SIGNALS:
    /// Empty: it wrote nothing of the kind within ten seconds.
    void finished(const QByteArray &text);

private:
    void look();
    QByteArray newBytes() const;

    ProcessLook m_process;
    int m_signal;
    QString m_log;
    qint64 m_begin = 0;
    qsizetype m_size = 0;
    QTimer m_timer;
    QElapsedTimer m_sinceStart;
    QElapsedTimer m_sinceGrowth;
};

/// Takes the stacks of one rank: of its process and of the processes below it that run Python, one after the
/// other. Never waits.
class StackJob : public QObject
{
    Q_OBJECT

public:
    struct Rank {
        int process = -1; ///< By index in the node's share.
        qint64 pid = 0;
        Sentence label; ///< "rank 3"
        QString log;    ///< Where its standard error goes.
    };

    StackJob(Rank rank, StackTools tools, int dumpSignal);
    /// A tool that still runs is killed, and waited for.
    ~StackJob() override;

    void start();
    const Rank &rank() const { return m_rank; }

Q_SIGNALS:
    /// A tool has been started as a child of this process, and has ended.
    void toolStarted(qint64 pid);
    void toolEnded(qint64 pid);
    /// Emits the stacks as plain text, at most 128 Ki characters; if empty, `problem` has the reason.
    void finished(const QString &stacks, const rankdeck::Sentence &problem);

private:
    void nextProcess();
    void nextWay();
    void runTool(const StackWay &way);
    void toolFinished();
    void take(const QByteArray &text, const Sentence &problem);
    QString description() const;

    Rank m_rank;
    StackTools m_tools;
    int m_dumpSignal;
    std::deque<ProcessLook> m_processes; ///< The first is the one that is asked.
    std::deque<StackWay> m_ways;         ///< The first is the one that is tried.
    std::unique_ptr<QProcess> m_tool;
    std::unique_ptr<QTemporaryFile> m_frames; ///< Python's output when gdb asks for its frames.
    std::array<std::unique_ptr<QTemporaryFile>, 2> m_scripts; ///< Commands for gdb to ask for them.
    std::unique_ptr<QTemporaryDir> m_texts;                   ///< Output of a tool that writes files.
    qint64 m_toolPid = 0;
    std::unique_ptr<SignalledStacks> m_signalled;
    OneShotTimer m_limit;
    bool m_hasTimedOut = false;
    QString m_stacks;
    Sentence m_problem;
};

/// Takes the stacks of ranks of this node, a few at a time.
class StackDumper : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Starts to take the stacks; skips a rank whose stacks are already being taken.
    void dump(const std::vector<StackJob::Rank> &ranks, const StackTools &tools, int dumpSignal);

Q_SIGNALS:
    /// StacksDumped, once for each rank.
    void happened(const rankdeck::RunEvent &event);
    void toolStarted(qint64 pid);
    void toolEnded(qint64 pid);

private:
    void startSome();
    void finish(StackJob *job, const QString &stacks, const Sentence &problem);

    std::deque<std::unique_ptr<StackJob>> m_waiting;
    std::vector<std::unique_ptr<StackJob>> m_running;
};

} // namespace rankdeck
