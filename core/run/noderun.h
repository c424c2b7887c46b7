#pragma once

#include "launch/launchplan.h"
#include "run/hooksequence.h"
#include "run/runevent.h"
#include "run/workergroup.h"

#include <QObject>

#include <memory>
#include <set>

namespace rankdeck
{

/// Why a node's share of a run is to end; what stands later leaves less time.
enum class NodeEnd {
    NotAsked,
    TearDown, ///< Something failed. The hooks after the launch have all the time they want …
    Stop,     ///< … somebody asked: they have the grace …
    Abandon,  ///< … nobody watches any more: they are not run.
    Kill,     ///< Nor is there a grace for the workers.
};

/// One node's share of a plan from its first hook to its last: the hooks before the launch, the workers, the
/// hooks after it, and at last what hooks left running. This process must be a child subreaper, so that
/// orphans come back here.
class NodeRun : public QObject
{
    Q_OBJECT

public:
    NodeRun(LaunchPlan plan, QString node, QObject *parent = nullptr);

    void start();
    /// Changes nothing once an end that leaves less time was asked for.
    void end(NodeEnd how);
    /// End these processes of the plan, with what they started, while the others go on; those that wait for
    /// the hooks before the launch as soon as they have been started.
    void endProcesses(const QList<int> &processes, bool kill);
    /// As WorkerGroup::sendSignal().
    bool sendSignal(int process, int number);
    /// The pid of a process of the plan that runs; 0 when it does not.
    qint64 pidOf(int process) const;
    /// A child of this process that is none of the run's and is waited for elsewhere, with its process group
    /// where it has one; and is no more.
    void spare(qint64 pid);
    void spareNoMore(qint64 pid);
    const LaunchPlan &plan() const { return m_plan; }
    const QString &node() const { return m_node; }
    /// Into the terminals of processes.
    void type(const TerminalInput &input);
    /// A child of this process ended. Call it on SIGCHLD.
    void childEnded();

Q_SIGNALS:
    void happened(const rankdeck::RunEvent &event);
    /// By a process with a terminal.
    void printed(int process, QByteArrayView bytes);
    /// Nothing of the run is alive on the node. Emitted once.
    void done();

private:
    enum class Stage { Before, Workers, After, Rest };

    void startWorkers();
    void startAfter();
    void limitAfter();
    /// End what hooks left running.
    void startRest();
    void spareIn(WorkerGroup &group) const;
    void finish();
    void report(RunEvent event);

    LaunchPlan m_plan;
    QString m_node;
    Stage m_stage = Stage::Before;
    NodeEnd m_end = NodeEnd::NotAsked;
    QList<int> m_unwanted; ///< Processes to be ended as soon as they have been started.
    std::unique_ptr<HookSequence> m_before;
    std::unique_ptr<WorkerGroup> m_workers;
    std::unique_ptr<HookSequence> m_after;
    std::unique_ptr<WorkerGroup> m_rest; ///< Has no workers.
    std::set<qint64> m_spared;
};

} // namespace rankdeck
