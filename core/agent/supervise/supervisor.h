#pragma once

#include "agent/nodeagents.h"
#include "agent/processrequests.h"
#include "agent/samplekeeper.h"
#include "agent/stallwatch.h"
#include "agent/transport/allocation.h"
#include "run/growthmarks.h"
#include "run/journal.h"
#include "run/runkeeper.h"
#include "run/runrecord.h"
#include "run/runserver.h"
#include "run/runstate.h"
#include "run/straykiller.h"
#include "run/unixsignals.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace rankdeck
{

/// `rankdeckctl supervise RUN_DIR`: carries out one run through one agent a node, keeps its journal and its
/// record, and answers its clients. The first failure tears everything down, and so does a request, SIGTERM
/// or SIGINT; after a failure all is started anew, with new agents, while the plan has restarts left.
class Supervisor : public QObject
{
    Q_OBJECT

public:
    /// @param guardian this process's parent, which ends the run should this process die; nothing: there is
    /// none.
    explicit Supervisor(QString runDirectory, const std::optional<SupervisorId> &guardian = {},
                        QObject *parent = nullptr);
    ~Supervisor() override;

    /// Error: no run there, or one that somebody supervises or that has ended.
    std::optional<Error> start();

Q_SIGNALS:
    /// The run has ended and everything is on disk.
    void finished();

private:
    void makeAgents();
    void startAttempt();
    /// Before the first attempt, where Slurm has to be asked for the nodes.
    void askForNodes();
    void takeNodes(const QString &nodes);
    void followLogs();
    void replan(const LaunchPlan &plan);
    void take(const RunEvent &event);
    void takeFailure(const RunEvent &event);
    void restart();
    void takeStartFailure(const QString &node, const Error &problem);
    void takeLinkLoss(const QString &node, const QString &how, const QDateTime &since);
    void takeLoss(const QString &node, const QString &how, const QDateTime &since);
    /// Whether what has failed on another node did so when `node` was gone already.
    bool failedAfter(const QString &node, const QDateTime &since) const;
    void agentEnded();
    void recordFailure(const Failure &failure);
    void settleFailure();
    /// Workers that have all ended need no scheduler.
    void limitScheduler();
    void tearDown(const QString &why);
    void requestStop(AgentOrder::Kind how, const QString &why);
    /// End some processes of the run; no failure, and nothing is started anew after it.
    void stopProcesses(const StopRequest &request);
    void takeStopCode(bool isKill);
    void takeSignal(int number);
    /// A child was stopped or has ended, or the guardian has.
    void lookAfterFamily();
    void concludeIfDone();
    void conclude();
    void record(const RunEvent &event);
    void record(RunEvent::Kind kind, const QString &text) { record(RunEvent::now(kind, text)); }
    void saveRecord();
    /// A look at everything on disk, a few times a second.
    void look();
    void lookForStalls(const std::vector<int> &grown);
    /// Samples are made while somebody wants them, while ranks are about to be called stalled, and always
    /// where the launch wants that.
    void orderSamples();
    void takeSample(const NodeSample &sample);

    QString m_directory;
    std::optional<SupervisorId> m_guardian;
    RunRecord m_record;
    RunState m_state;
    std::unique_ptr<Journal> m_journal;
    std::unique_ptr<RunKeeper> m_keeper;
    std::unique_ptr<GrowthMarks> m_growth;
    std::unique_ptr<StallWatch> m_stalls; ///< Of this attempt.
    RunServer m_server;
    UnixSignals m_signals;
    std::unique_ptr<NodeAgents> m_agents; ///< Of this attempt.
    std::unique_ptr<Allocation> m_allocation;
    bool m_samplesForStalls = false;
    QTimer m_growthTimer;
    QTimer m_schedulerTimer;
    StrayKiller m_killer;
    ProcessRequests m_requests;
    SampleKeeper m_samples;
    std::optional<Failure> m_failedAttempt; ///< What a restart is for, once everything has ended.
    /// Exit code of a run of which somebody asked that it ends, or some of its processes; 0 while nobody did.
    int m_stopCode = 0;
    bool m_isAskedToEnd = false; ///< The whole run.
    bool m_hasLost = false;      ///< An agent, before it was done.
    bool m_recordIsSaved = false;
    QString m_recordProblem; ///< Why it could not be saved, said once.
    bool m_concluded = false;
};

} // namespace rankdeck
