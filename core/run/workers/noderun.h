#pragma once

#include "base/oneshottimer.h"
#include "launch/plan/launchplan.h"
#include "run/workers/adoptedrun.h"

namespace rankdeck
{

/// Runs the hooks of one list of a plan, one after the other, each as a Worker. Leaves alone what they leave
/// running.
class HookSequence : public QObject
{
    Q_OBJECT

public:
    /// Before the launch the first hook that fails and must not fail ends the sequence; after it none does.
    enum class When { Before, After };

    HookSequence(std::vector<ProcessPlan> hooks, When when);

    void start() { next(); }
    /// Starts no further hook; SIGTERM to the one that runs, SIGKILL after `graceSeconds`.
    void tearDown(int graceSeconds);
    /// Goes on, but at most this long: then kill().
    void limit(int seconds) { m_limit.start(seconds * 1000); }
    /// Starts no further hook; SIGKILL to the one that runs.
    void kill();
    /// Returns the pid of the running hook; 0 if none runs.
    qint64 pid() const { return m_worker && m_worker->isRunning() ? m_worker->pid() : 0; }

Q_SIGNALS:
    void happened(const rankdeck::RunEvent &event);
    /// No hook runs and none will. `ok`: none that must not fail failed, and the sequence was not ended.
    void finished(bool ok);

private:
    void next();
    void takeEnd(const ExitStatus &status, const QString &reason);
    /// What SIGKILL has not ended hangs in the kernel.
    void giveUp();
    void report(AnyEvent what) { Q_EMIT happened(RunEvent::now(std::move(what))); }
    const ProcessPlan &current() const { return m_hooks[m_index]; }

    std::vector<ProcessPlan> m_hooks;
    When m_when;
    std::size_t m_index = 0;
    std::unique_ptr<Worker> m_worker;
    OneShotTimer m_limit;
    bool m_isCutShort = false;
    bool m_isKilled = false;
};

/// Why a node's share of a run is to end. Ordered: each later value leaves less time.
enum class NodeEnd {
    NotAsked,
    TearDown, ///< Something failed. The hooks after the launch run without a time limit.
    Stop,     ///< Requested. The hooks after the launch have the grace.
    Abandon,  ///< The supervisor is gone. The hooks after the launch are not run.
    Kill,     ///< As Abandon, and the workers have no grace either.
};

/// One node's share of a plan: the hooks before the launch, the workers, the hooks after the launch, and at
/// last what hooks left running. This process must be a child subreaper, so that orphans come back here. Of a
/// plan that was adopted nothing is started: it is watched, and only NodeEnd::Kill ends it.
class NodeRun : public QObject
{
    Q_OBJECT

public:
    NodeRun(LaunchPlan plan, QString node);

    void start();
    /// Changes nothing after an end that leaves less time was requested.
    void end(NodeEnd how);
    /// Ends these processes of the plan, with what they started, while the others go on. Processes that wait
    /// for the hooks before the launch are ended as soon as they have started.
    void endProcesses(const QList<int> &processes, bool kill);
    /// As WorkerGroup::startAgain().
    bool startAgain(int process) { return m_stage == Stage::Workers && m_workers->startAgain(process); }
    /// Sends the signal, and reports SignalSent for each process that gets it. Returns those that do not run.
    QList<int> send(const SignalRequest &request);
    /// Returns the pid of a process of the plan; 0 if it does not run.
    qint64 pidOf(int process) const;
    /// A rank of a wrapped command that was told of has this index in the plan from now on.
    void nameRank(int process, const ProcessPlan &found, qint64 pid);
    /// As WorkerGroup::spare() and spareNoMore().
    void spare(qint64 pid);
    void spareNoMore(qint64 pid);
    /// As spare(), for tools that take stacks; see WorkerGroup::setLookedAt().
    void spareLooker(qint64 pid);
    const LaunchPlan &plan() const { return m_plan; }
    const QString &node() const { return m_node; }
    /// Types into the terminals of processes.
    void type(const TerminalInput &input);
    /// Call it on SIGCHLD, when a child of this process has ended.
    void childEnded();

Q_SIGNALS:
    void happened(const rankdeck::RunEvent &event);
    /// A process with a terminal has printed this.
    void printed(int process, QByteArrayView bytes);
    /// Nothing of the run is alive on the node. Emitted once.
    void done();

private:
    enum class Stage { Adopted, Before, Workers, After, Rest };

    void startAdopted();
    void startWorkers();
    void startFinder();
    void startAfter();
    void limitAfter();
    /// Ends what hooks left running.
    void startRest();
    void spareIn(WorkerGroup &group) const;
    std::vector<WorkerGroup *> groups() const;
    SignalTarget targetOf(int process) const;
    void finish();
    /// Passes on what happened on this node.
    void pass(RunEvent event);
    void report(AnyEvent what) { pass(RunEvent::now(std::move(what))); }

    LaunchPlan m_plan;
    QString m_node;
    Stage m_stage = Stage::Before;
    NodeEnd m_end = NodeEnd::NotAsked;
    QList<int> m_unwanted; ///< Processes to be ended as soon as they have started.
    std::unique_ptr<HookSequence> m_before;
    std::unique_ptr<AdoptedRun> m_adopted;
    std::unique_ptr<WorkerGroup> m_workers;
    std::unique_ptr<RankFinder> m_finder; ///< Where a command is wrapped.
    std::unique_ptr<HookSequence> m_after;
    std::unique_ptr<WorkerGroup> m_rest; ///< Has no workers.
    std::set<qint64> m_spared;
    std::set<qint64> m_lookers; ///< The spared ones that take stacks.
};

} // namespace rankdeck
