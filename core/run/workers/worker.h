#pragma once

#include "base/oneshottimer.h"
#include "launch/plan/processplan.h"
#include "run/process/terminal.h"
#include "run/strays/strays.h"

#include <QProcess>

#include <map>

namespace rankdeck
{

class Worker;

/// Stops one worker with all processes that it started while other workers go on: SIGTERM, grace, SIGKILL.
/// The processes it started are those below it or in a session of these, and orphans with its variables. A
/// process that was seen once stays known after its parents have exited. This process must be a child
/// subreaper.
class WorkerEnding : public QObject
{
    Q_OBJECT

public:
    /// @param worker must outlive this.
    /// @param plan the worker's.
    WorkerEnding(Worker &worker, ProcessPlan plan);

    /// SIGTERM now and SIGKILL after the grace; changes nothing if an end has begun. 0 s: kill().
    void stop(int graceSeconds);
    void kill();
    /// Call it on SIGCHLD, when a child of this process has ended.
    void childEnded();
    /// Returns true if no process of the worker is alive, or if the living ones hang in the kernel.
    bool isDone() const { return m_done; }

Q_SIGNALS:
    void done();
    /// A process outside the worker's own group got this signal.
    void signalled(const rankdeck::ProcessInfo &process, int number);
    /// The process hangs in the kernel and is left alone.
    void failedToKill(const rankdeck::ProcessInfo &process);

private:
    std::vector<ProcessInfo> findMembers(Reach reach);
    bool isOrphanOfWorker(const ProcessInfo &process);
    void signalAll();
    void sweep(Reach reach);
    void giveUp();
    void finish();

    Worker &m_worker;
    ProcessPlan m_plan;
    int m_signal = 0; ///< The last one sent; 0: none yet.
    bool m_done = false;
    OneShotTimer m_grace;
    OneShotTimer m_look;
    OneShotTimer m_deeper{int(lookDeeperAfter.count())};
    OneShotTimer m_unkillable{int(unkillableAfter.count())};
    std::map<pid_t, quint64> m_known;              ///< Members, with their start times.
    std::map<pid_t, quint64> m_others;             ///< Children of this process that are not the worker's.
    std::set<std::pair<pid_t, quint64>> m_unclear; ///< Children whose variables could not be read yet.
    std::set<std::pair<pid_t, int>> m_told;        ///< Signals that were sent.
};

/// One process of a plan on this node. It has a session and a process group of its own, writes its log file
/// itself unless it has a terminal, and is killed by the kernel when this process dies. Must be started from
/// the main thread: the kernel ties the parent-death signal to the thread that started the child.
class Worker : public QObject
{
    Q_OBJECT

public:
    /// @param variables set on top of the plan's own (the scratch directory).
    Worker(const ProcessPlan &plan, const QMap<QString, QString> &variables);

    /// Does not wait for the process; started() or failedToStart() may come later. Call it once.
    /// @param base the environment that the plan's variables change.
    void start(const QProcessEnvironment &base = QProcessEnvironment::systemEnvironment());
    /// Emits started() or failedToStart() before it returns, unless one was emitted before.
    void waitForStarted() { m_process.waitForStarted(-1); }
    /// Sends a signal to the whole process group. Does nothing before started() or after the worker has
    /// ended.
    void signalGroup(int signalNumber);
    /// Null if it has no terminal, or has not been started.
    Terminal *terminal() const { return m_terminal.get(); }
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    qint64 pid() const { return m_pid; }

Q_SIGNALS:
    void started(qint64 pid);
    /// `errorNumber` is an errno; `reason` a sentence for the user.
    void failedToStart(int errorNumber, const QString &reason);
    void exited(const rankdeck::ExitStatus &status);
    /// Emitted when the worker has printed these bytes on its terminal.
    void printed(QByteArrayView bytes);

private:
    /// Fails if there is no terminal for it.
    std::optional<Error> connectStreams();

    ProcessPlan m_plan;
    std::unique_ptr<Terminal> m_terminal;
    QProcess m_process;
    qint64 m_pid = 0;
};

/// Abandons a worker that SIGKILL does not end. It is never destroyed: its destructor would wait for its
/// exit.
void leaveBehind(std::unique_ptr<Worker> worker);

/// Where execvp() would find a program.
struct ProgramSearch {
    QString path;
    int errorNumber = 0; ///< An errno: it does not exist or may not be executed; 0: it can be executed.
};
/// Searches `program` as for a process with this PATH and working directory.
ProgramSearch findProgram(const QString &program, const QString &workDir, const QString &searchPath);

QProcessEnvironment environmentFor(const ProcessPlan &plan, QProcessEnvironment base);
/// Returns the PATH that a process of the plan gets.
QString searchPathFor(const ProcessPlan &plan, const QProcessEnvironment &base);

} // namespace rankdeck
