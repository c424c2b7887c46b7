#pragma once

#include "launch/launchplan.h"
#include "run/exitstatus.h"
#include "run/terminal.h"

#include <QObject>
#include <QProcess>
#include <QProcessEnvironment>

#include <memory>
#include <optional>

namespace rankdeck
{

/// One process of a plan on this node. It is a session and a process group of its own, writes its log file
/// itself, unless it has a terminal, and is killed by the kernel when this process dies. Must be started from
/// the main thread: the kernel ties the parent-death signal to the thread that started the child.
class Worker : public QObject
{
    Q_OBJECT

public:
    /// @param variables set on top of the plan's own (the scratch directory).
    Worker(const ProcessPlan &plan, const QMap<QString, QString> &variables, QObject *parent = nullptr);

    /// Does not wait for the process; started() or failedToStart() may come later. Call it once.
    /// @param base the environment that the plan's variables change: this process's own, read once for many.
    void start(const QProcessEnvironment &base = QProcessEnvironment::systemEnvironment());
    /// Emits started() or failedToStart() before it returns, unless that has been done.
    void waitForStarted() { m_process.waitForStarted(-1); }
    /// Send a signal to the whole process group. Nothing happens before started(), when there is none yet, or
    /// once the worker has ended.
    void signalGroup(int signalNumber);
    /// Where it is typed to; null: it has no terminal, or has not been started.
    Terminal *terminal() const { return m_terminal.get(); }
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    qint64 pid() const { return m_pid; }

Q_SIGNALS:
    void started(qint64 pid);
    /// `errorNumber` is an errno; `reason` a sentence for the user.
    void failedToStart(int errorNumber, const QString &reason);
    void exited(const rankdeck::ExitStatus &status);
    /// On its terminal.
    void printed(QByteArrayView bytes);

private:
    /// Error: it can have no terminal.
    std::optional<Error> connectStreams();

    ProcessPlan m_plan;
    std::unique_ptr<Terminal> m_terminal;
    QProcess m_process;
    qint64 m_pid = 0;
};

/// Give up a worker that SIGKILL does not end: destroying it would wait for it, and so would the end of this
/// program.
void leaveBehind(std::unique_ptr<Worker> worker);

/// Where execvp() would find `program` for a process with this PATH and working directory.
/// Error: it does not exist or may not be executed; errno in words.
struct ProgramSearch {
    QString path;
    int errorNumber = 0; ///< 0 when `path` can be executed.
};
ProgramSearch findProgram(const QString &program, const QString &workDir, const QString &searchPath);

/// The environment a process of the plan gets.
QProcessEnvironment environmentFor(const ProcessPlan &plan, QProcessEnvironment base);
/// The PATH a process of the plan gets.
QString searchPathFor(const ProcessPlan &plan, const QProcessEnvironment &base);

} // namespace rankdeck
