#pragma once

#include "agent/head/processrequests.h"
#include "agent/supervise/evidencebeforeend.h"
#include "agent/supervise/foundranks.h"
#include "agent/supervise/runhook.h"
#include "agent/supervise/runjudge.h"
#include "agent/supervise/runnodes.h"
#include "agent/supervise/runwatch.h"
#include "agent/supervise/schedulerlimit.h"
#include "agent/supervise/stallevidence.h"
#include "run/control/runserver.h"
#include "run/process/unixsignals.h"

namespace rankdeck
{

/// `rankdeckctl supervise RUN_DIR`: carries out one run through one agent a node, keeps its journal and its
/// record, and answers its clients. The first failure tears everything down, and so does a request, SIGTERM
/// or SIGINT; after a failure all is restarted, with new agents, while the plan has restarts left.
class Supervisor : public QObject
{
    Q_OBJECT

public:
    /// @param guardian this process's parent, which ends the run if this process dies; nothing if there is
    /// none.
    explicit Supervisor(QString runDirectory, const std::optional<SupervisorId> &guardian = {},
                        QObject *parent = nullptr);
    ~Supervisor() override;

    /// Fails if there is no run, or if it has ended or has a supervisor.
    std::optional<Error> start();

Q_SIGNALS:
    /// The run has ended and everything is on disk.
    void finished();

private:
    void connectNodes();
    void connectServer();
    void replan(const LaunchPlan &plan);
    void take(const RunEvent &event);
    void takeFound(const RunEvent &event);
    void takeFailure(const RunEvent &event);
    void restart();
    void takeStartFailure(const QString &node, const Error &problem);
    void takeAgentEnd(const RunEvent &event);
    void failNode(const QString &node, const QString &reason, int exitCode = 1);
    void takeLoss(const QString &node, const QString &how, const QDateTime &since);
    void tearDown(const QString &why);
    /// Tears down once what may explain the failure is taken.
    void tearDownAfterEvidence(const Failure &failure, const QString &why);
    void requestStop(AgentOrder::Kind how, const QString &why);
    void takeStopCode(bool isKill);
    int stopCode() const;
    void takeSignal(int number);
    /// Called after SIGCHLD: a child was stopped or has ended, or the guardian has ended.
    void lookAfterFamily();
    void concludeIfDone();
    void conclude();
    void finish();
    void orderSamples();

    RunBook m_book;
    RunRecord &m_record;     ///< In the book.
    const RunState &m_state; ///< In the book.
    std::optional<SupervisorId> m_guardian;
    RunServer m_server;
    UnixSignals m_signals;
    RunNodes m_nodes;
    RunWatch m_watch;
    FoundRanks m_found;
    ProcessRequests m_requests;
    SchedulerLimit m_schedulerLimit;
    RunJudge m_judge;
    RunHook m_hook;
    EvidenceBeforeEnd m_evidence;
    StallEvidence m_stallEvidence;
    QString m_whyTearDown;                  ///< While the evidence is taken.
    std::optional<Failure> m_failedAttempt; ///< The failure that causes a restart, once everything has ended.
    /// Exit code after a stop or kill request (128 + signal); 0 if none was made. See stopCode().
    int m_stopCode = 0;
    bool m_isAskedToEnd = false; ///< The end of the whole run was requested.
    bool m_concluded = false;
};

} // namespace rankdeck
