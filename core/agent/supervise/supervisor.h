#pragma once

#include "agent/head/processrequests.h"
#include "agent/supervise/evidencebeforeend.h"
#include "agent/supervise/foundranks.h"
#include "agent/supervise/runend.h"
#include "agent/supervise/runnodes.h"
#include "agent/supervise/runpolicy.h"
#include "agent/supervise/runwatch.h"
#include "base/oneshottimer.h"
#include "diagnosis/logdirectory/toldranks.h"
#include "run/control/runserver.h"
#include "run/process/unixsignals.h"

#include <deque>

namespace rankdeck
{

/// `rankdeckctl supervise RUN_DIR`: carries out one run through one agent a node, keeps its journal and its
/// record, and answers its clients. Translates what its parts say into events of runPolicy(), which decides
/// what follows, and carries out the effects.
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
    void takeFound(const events::RankFound &found);
    /// Learns the ranks that a framework gives the processes, once it has told all of them, or none will
    /// come.
    void learnRanks(bool isEnd);
    void takeRequest(const Request &request);
    void takeLoss(const QString &node, const Sentence &how, const QDateTime &since);
    void takeSignal(int number);
    /// Called after SIGCHLD: a child was stopped or has ended, or the guardian has ended.
    void lookAfterFamily();
    void orderSamples();
    bool isAdopted() const { return m_state.plan->adopted.has_value(); }
    struct Hearing;
    /// Tells the policy about an event in the journal.
    void hear(const RunEvent &event);
    /// Decides once no agent is open.
    void hearIfAllEnded();
    /// Carries out what follows from an event, after what follows from earlier ones.
    void decide(const PolicyEvent &event);
    void carryOut(const effect::TakeEvidence &effect);
    void carryOut(const effect::DropEvidence &) { m_evidence.cancel(); }
    void carryOut(const effect::TearDown &effect);
    void carryOut(const effect::TearDownAfter &effect);
    void carryOut(const effect::StopRun &effect);
    void carryOut(const effect::RecordFailure &effect);
    void carryOut(const effect::RecordHookFailure &effect);
    void carryOut(const effect::RecordNodeFailure &effect);
    void carryOut(const effect::RecordJudgedFailure &) { m_book.fail(m_judge.found().second); }
    void carryOut(const effect::LimitScheduler &effect) { m_schedulerLimit.start(effect.seconds * 1000); }
    void carryOut(const effect::UnlimitScheduler &) { m_schedulerLimit.stop(); }
    void carryOut(const effect::NoteScheduler &);
    void carryOut(const effect::StartProcesses &effect) { m_requests.startAgain(effect.processes, false); }
    void carryOut(const effect::RefuseStarts &effect);
    void carryOut(const effect::EndProcesses &effect) { m_requests.end(effect.processes, effect.isKill); }
    void carryOut(const effect::RefuseEnds &) { m_requests.refuseEnds(); }
    void carryOut(const effect::StartAttempt &effect);
    void carryOut(const effect::ReleaseNodes &);
    void carryOut(const effect::Conclude &);
    void carryOut(const effect::Judge &) { m_judge.start(m_book.directory(), isAdopted()); }
    void carryOut(const effect::Finish &effect);

    RunBook m_book;
    RunRecord &m_record;     ///< In the book.
    const RunState &m_state; ///< In the book.
    std::optional<SupervisorId> m_guardian;
    pid_t m_keeper = 0; ///< Parent of the guardian; 0: unknown.
    RunServer m_server;
    UnixSignals m_signals;
    RunNodes m_nodes;
    RunWatch m_watch;
    FoundRanks m_found;
    ToldRanks m_told;
    ProcessRequests m_requests;
    OneShotTimer m_schedulerLimit;
    RunJudge m_judge;
    RunHook m_hook;
    EvidenceBeforeEnd m_evidence;
    StallEvidence m_stallEvidence;
    PolicyState m_policy;
    std::deque<PolicyEvent> m_heard; ///< Not carried out completely.
};

} // namespace rankdeck
