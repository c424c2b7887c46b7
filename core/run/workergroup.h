#pragma once

#include "launch/launchplan.h"
#include "run/holdwatch.h"
#include "run/runevent.h"
#include "run/sentsignals.h"
#include "run/strays.h"
#include "run/terminalinput.h"
#include "run/worker.h"
#include "run/workerending.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace rankdeck
{

/// One node's share of a plan: starts its workers, tells what happens to them, and ends them and everything
/// that they started. This process must be a child subreaper, so that orphans come back here.
class WorkerGroup : public QObject
{
    Q_OBJECT

public:
    using StrayFilter = std::function<bool(const ProcessInfo &)>;

    /// @param node workers planned for another node are left alone.
    /// @param isOurs which processes that no worker is are this group's to end; none given: all that live
    /// below this process.
    WorkerGroup(const LaunchPlan &plan, QString node, StrayFilter isOurs = {}, QObject *parent = nullptr);
    ~WorkerGroup() override;

    /// Start every worker, in order. When one cannot start, those that run already are torn down.
    void start();
    /// SIGTERM to every worker's group and every stray process, SIGKILL after the plan's grace.
    void tearDown();
    /// SIGKILL at once.
    void kill();
    /// End these workers and what they started while the others go on. Those that are no worker of this
    /// group's, or have ended, are passed over.
    void endWorkers(const QList<int> &processes, bool kill);
    /// Send a worker this signal on request, as SignalRequest says to whom, and tell that with an event
    /// SignalSent. False: it does not run.
    bool sendSignal(int process, int number);
    /// The pid of a worker that runs; 0 when it does not.
    qint64 pidOf(int process) const;
    /// A child of this process that is no stray and that somebody else waits for, with its process group
    /// where it has one; and is no more.
    void spare(qint64 pid) { m_spared.insert(pid); }
    void spareNoMore(qint64 pid) { m_spared.erase(pid); }
    /// Into the terminals of those that have one and run.
    void type(const TerminalInput &input);
    /// A child of this process ended: see whether anything is left. Call it on SIGCHLD.
    void childEnded();

Q_SIGNALS:
    void happened(const rankdeck::RunEvent &event);
    /// By a process with a terminal.
    void printed(int process, QByteArrayView bytes);
    /// Nothing that this group started is alive. Emitted once.
    void done();

private:
    Worker *addWorker(int index);
    Worker *running(int process) const;
    void lookForHeld();
    void makeScratch();
    void report(RunEvent event);
    void reportSwept(const ProcessInfo &stray, int signalNumber);
    void noteUnkillable(const ProcessInfo &stray);
    void note(const QString &text);
    std::vector<qint64> runningPids() const;
    void signalEverything(int signalNumber);
    void signalStrays(const std::vector<ProcessInfo> &strays);
    std::vector<ProcessInfo> listOurs(Reach reach) const;
    void sweep(Reach reach);
    void giveUp();
    void finish();

    LaunchPlan m_plan;
    QString m_node;
    StrayFilter m_isOurs;
    QProcessEnvironment m_environment = QProcessEnvironment::systemEnvironment();
    std::vector<std::unique_ptr<Worker>> m_workers;
    std::map<int, std::unique_ptr<WorkerEnding>> m_endings; ///< By process.
    QString m_scratchPath;
    QTimer m_graceTimer;
    QTimer m_sweepTimer;
    QTimer m_deeperTimer;
    QTimer m_unkillableTimer;
    QTimer m_holdTimer;
    HoldWatch m_holds;
    SentSignals m_sent;
    std::set<std::pair<pid_t, int>> m_signalled; ///< Strays (and groups, negative) that had which signal.
    std::set<qint64> m_spared;
    int m_signal = 0;     ///< The last one sent to everything; 0 while nobody asked for an end.
    std::set<int> m_deaf; ///< Processes that do not take what is typed; that is said once.
    bool m_starting = false;
    bool m_done = false;
};

} // namespace rankdeck
