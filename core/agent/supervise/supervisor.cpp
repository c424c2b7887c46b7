#include "agent/supervise/supervisor.h"

#include "agent/supervise/launcher.h"
#include "base/times.h"
#include "diagnosis/failure/failurereport.h"
#include "run/workers/ranksearch.h"

#include <QFileInfo>

#include <unistd.h>

namespace rankdeck
{

/// Returns true if what has failed on another node did so when `node` was already gone.
static bool hasFailedAfter(const Failure &failure, const RunState &state, const QString &node,
                           const QDateTime &since)
{
    if (failure.rank == Failure::noRank || failure.node == node)
        return false;
    const auto &processes = state.plan->processes;
    const auto failed = std::find_if(processes.begin(), processes.end(), [&](const ProcessPlan &process) {
        return process.rank == failure.rank && process.role == failure.role;
    });
    return failed != processes.end() &&
           state.ranks[static_cast<std::size_t>(failed - processes.begin())].ended > since;
}

/// A rank of a wrapped command is no failure of its own as long as the command may say so, and if nobody saw
/// how it ended.
static bool isJudgedByCommand(const RunState &state, int process)
{
    if (!state.planOf(process)->isFound)
        return false;
    const auto &status = state.ranks[static_cast<std::size_t>(process)].status;
    if (status && status->kind == ExitStatus::Kind::Unknown)
        return true;
    const std::vector<ProcessPlan> &all = state.plan->processes;
    const auto command = std::ranges::find(all, Role::Console, &ProcessPlan::role);
    return state.plan->adopted || command == all.end() ||
           !state.ranks[static_cast<std::size_t>(command - all.begin())].status;
}

Supervisor::Supervisor(QString runDirectory, const std::optional<SupervisorId> &guardian, QObject *parent)
    : QObject(parent)
    , m_book(std::move(runDirectory))
    , m_record(m_book.record())
    , m_state(m_book.state())
    , m_guardian(guardian)
    , m_signals({SIGTERM, SIGINT, SIGCONT, SIGCHLD})
    , m_nodes(m_book)
    , m_watch(m_book)
    , m_found(m_book)
    , m_requests(m_book.directory(), m_record, m_state)
    , m_schedulerLimit(m_book)
    , m_stallEvidence(m_book, m_requests)
{
    connect(&m_schedulerLimit, &SchedulerLimit::over, this, &Supervisor::tearDown);
    connect(&m_book, &RunBook::written, &m_evidence, &EvidenceBeforeEnd::take);
    connect(&m_book, &RunBook::written, &m_stallEvidence, &StallEvidence::take);
    connect(&m_book, &RunBook::written, &m_server, &RunServer::notify);
    connect(&m_evidence, &EvidenceBeforeEnd::wanted, &m_requests,
            [this](const QList<int> &processes) { m_requests.dumpStacks(processes, true); });
    connect(&m_stallEvidence, &StallEvidence::began, this, [this] {
        if (!m_concluded)
            m_hook.start(m_book.directory(), m_record, QStringLiteral("stalled"), m_state.stall->sentence);
    });
    connect(&m_evidence, &EvidenceBeforeEnd::done, this, [this] { tearDown(m_whyTearDown); });
    connect(&m_judge, &RunJudge::done, this, &Supervisor::finish);
    connect(&m_signals, &UnixSignals::received, this, &Supervisor::takeSignal);
    connect(&m_watch, &RunWatch::sampleIntervalChanged, this, &Supervisor::orderSamples);
    connect(&m_watch, &RunWatch::looked, &m_server, &RunServer::listenAgainIfGone);
    connect(&m_watch, &RunWatch::looked, &m_found, &FoundRanks::look);
    connect(&m_found, &FoundRanks::planChanged, &m_watch, &RunWatch::followLogs);
    connect(&m_watch, &RunWatch::looked, this, [this] {
        // A run of a command in the foreground does not outlive it.
        if (m_record.tiedTo && !isAlive(*m_record.tiedTo) && m_state.phase != RunPhase::Stopping &&
            !m_concluded)
            requestStop(AgentOrder::Kind::Stop, tr("The command that launched the run has ended."));
    });
    connect(&m_requests, &ProcessRequests::happened, &m_book,
            [this](const RunEvent &event) { m_book.write(event); });
    connect(&m_requests, &ProcessRequests::stacksAsked, &m_watch, &RunWatch::awaitStacks);
    connectNodes();
    connectServer();
}

Supervisor::~Supervisor() = default;

void Supervisor::connectNodes()
{
    connect(&m_nodes, &RunNodes::agentsMade, this, [this](NodeAgents *agents) {
        m_requests.setAgents(agents);
        agents->showLogs(m_server.shown());
        orderSamples();
    });
    connect(&m_nodes, &RunNodes::refused, this, &Supervisor::takeStartFailure);
    connect(&m_nodes, &RunNodes::planned, this, &Supervisor::replan);
    connect(&m_nodes, &RunNodes::happened, this, &Supervisor::take);
    connect(&m_nodes, &RunNodes::sampled, this, [this](const NodeSample &sample) {
        m_server.send(sample);
        m_watch.takeSample(sample);
    });
    connect(&m_nodes, &RunNodes::linkLost, &m_requests, &ProcessRequests::giveUpStacks);
    connect(&m_nodes, &RunNodes::lost, this, &Supervisor::takeLoss);
    connect(&m_nodes, &RunNodes::ended, this, &Supervisor::concludeIfDone);
}

void Supervisor::connectServer()
{
    connect(&m_server, &RunServer::shownChanged, this, [this] {
        if (m_nodes.hasAgents())
            m_nodes.agents().showLogs(m_server.shown());
        m_watch.show(m_server.shown());
    });
    connect(&m_server, &RunServer::wishChanged, this, &Supervisor::orderSamples);
    connect(&m_server, &RunServer::dumpRequested, &m_requests, [this](const QList<int> &processes) {
        m_requests.dumpRecorders(EvidenceBeforeEnd::recorderLimit);
        m_requests.dumpStacks(processes);
    });
    connect(&m_server, &RunServer::startRequested, &m_requests, [this](const QList<int> &processes) {
        m_requests.startAgain(processes, m_evidence.isWaiting());
    });
    connect(&m_server, &RunServer::signalRequested, &m_requests, &ProcessRequests::sendSignal);
    connect(&m_server, &RunServer::toolRequested, &m_requests, &ProcessRequests::attachTool);
    connect(&m_server, &RunServer::typed, &m_requests, &ProcessRequests::type);
    connect(&m_server, &RunServer::stopRequested, this, [this](const StopRequest &request) {
        if (!request.isWhole() && m_requests.end(request))
            takeStopCode(request.kill);
        else if (!request.isWhole())
            return;
        else if (request.kill)
            requestStop(AgentOrder::Kind::Kill, tr("Kill was requested."));
        else
            requestStop(AgentOrder::Kind::Stop,
                        m_record.plan.adopted ? tr("Rankdeck watches no more, as requested. The ranks go on: "
                                                   "Rankdeck did not start them.")
                                              : tr("Stop was requested."));
    });
}

std::optional<Error> Supervisor::start()
{
    if (auto problem = m_book.open())
        return problem;
    becomeSubreaper();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    if (!m_server.listen(m_record.socketPath))
        return Error{
            tr("cannot create the control socket: %1").arg(m_server.errorString()), m_record.socketPath, {}};
    m_record.supervisor = thisSupervisor();
    m_record.guardian = m_guardian;
    for (const QString &note : m_record.plan.notes)
        m_book.note(note);
    if (m_record.plan.transport.isEmpty())
        m_book.indexLogs(); // Other nodes have yet to say where theirs are.
    m_watch.followLogs();
    m_nodes.start();
    m_book.save(); // While the agents come up.
    m_watch.start();
    return std::nullopt;
}

/// The nodes have prepared the launch: what was planned for them from here was an assumption.
void Supervisor::replan(const LaunchPlan &plan)
{
    const QStringList known = m_record.plan.notes;
    m_book.replacePlan(plan);
    m_book.write(RunEvent::now(RunEvent::Kind::Planned));
    for (const QString &note : plan.notes) {
        if (!known.contains(note))
            m_book.note(note);
    }
    m_book.indexLogs();
    m_watch.followLogs();
}

void Supervisor::take(const RunEvent &event)
{
    using Kind = RunEvent::Kind;
    if (event.process >= static_cast<int>(m_state.ranks.size())) {
        m_book.write(event); // An event of an attached tool never affects the outcome of the run.
        return;
    }
    if (event.kind == Kind::AgentEnds) {
        takeAgentEnd(event);
        return;
    }
    if (event.kind == Kind::RankFound) {
        takeFound(event);
        return;
    }
    if (event.kind == Kind::StacksDumped) {
        m_book.write(m_requests.keepStacks(event));
        return;
    }
    const bool wasStopping = m_state.phase == RunPhase::Stopping;
    m_book.write(event);
    if (event.kind == Kind::ProcessStarted)
        m_requests.sizeTerminal(event.process);
    if (event.kind == Kind::ProcessStarted && !event.logged.isEmpty()) { // Again.
        m_schedulerLimit.stop();
        m_book.forgetFailureOf(event.process);
    }
    const bool isEnd = event.kind == Kind::ProcessExited || event.kind == Kind::ProcessNotStarted;
    if (isEnd && event.process >= 0 && event.status && !event.status->isSuccess() && !wasStopping &&
        !isJudgedByCommand(m_state, event.process) && !m_record.failure && !m_failedAttempt &&
        !m_state.ranks[static_cast<std::size_t>(event.process)].stopRequested)
        takeFailure(event);
    if (isEnd)
        m_schedulerLimit.look();
    if (event.kind == Kind::BeforeFailed && event.status && !wasStopping && !m_record.failure) {
        tearDown(event.text);
        m_book.fail(failureOfHook(m_record.plan, event));
    }
}

void Supervisor::takeFound(const RunEvent &event)
{
    const auto found = foundFromText(event.text);
    const auto index = found ? m_found.indexOf(*found) : std::nullopt;
    if (index)
        m_nodes.agents().nameRank(*index, m_record.plan.processes[static_cast<std::size_t>(*index)],
                                  event.pid);
}

void Supervisor::takeFailure(const RunEvent &event)
{
    const LaunchPlan &plan = m_record.plan;
    const QString label = plan.processes[static_cast<std::size_t>(event.process)].label();
    // A process that cannot be started would fail again. One that has run before fails like any other.
    const bool isNotStarted = event.kind == RunEvent::Kind::ProcessNotStarted &&
                              !m_state.ranks[static_cast<std::size_t>(event.process)].started.isValid();
    const Failure failure = failureAt(m_state, event);
    if (plan.destroyWhenFinished && !isNotStarted && m_state.attempt < plan.maxRestarts && stopCode() == 0) {
        m_failedAttempt = failure;
        tearDownAfterEvidence(failure, tr("%1 failed (%2): all processes are ended and started again.")
                                           .arg(label, event.status->text()));
        return;
    }
    const QString why = tr("%1 failed (%2): the other processes are ended.").arg(label, event.status->text());
    if (isNotStarted)
        tearDown(why);
    else if (plan.destroyWhenFinished)
        tearDownAfterEvidence(failure, why);
    m_book.fail(failure);
}

void Supervisor::tearDownAfterEvidence(const Failure &failure, const QString &why)
{
    m_whyTearDown = why;
    const bool isWanted = m_record.spec.common.takesEvidence;
    const QStringList nodes =
        isWanted ? m_requests.dumpRecorders(EvidenceBeforeEnd::recorderLimit) : QStringList();
    const QList<int> processes =
        isWanted ? worthALook(m_state, failure, QDateTime::currentMSecsSinceEpoch()) : QList<int>();
    if (!m_evidence.start(processes, nodes))
        tearDown(why);
}

/// Called when all processes of the failed attempt have ended.
void Supervisor::restart()
{
    m_evidence.cancel();
    const Failure failure = settledFailure(m_state, *m_failedAttempt);
    m_failedAttempt.reset();
    m_schedulerLimit.stop();
    m_watch.mark();

    RunEvent event = RunEvent::now(RunEvent::Kind::Restart);
    event.attempt = m_state.attempt + 1;
    const QString why = failureTitle(failure);
    event.text = tr("Restart %1 of %2. %3.")
                     .arg(QString::number(event.attempt), QString::number(m_record.plan.maxRestarts),
                          failure.reason.isEmpty() ? why : tr("%1 (%2)").arg(why, failure.reason));
    m_book.write(event);
    m_watch.followLogs();
    m_nodes.startAttempt();
}

void Supervisor::takeStartFailure(const QString &node, const Error &problem)
{
    const QString sentence = problem.sentence();
    if (m_isAskedToEnd || m_record.failure)
        return;
    failNode(node, node.isEmpty() ? sentence : tr("%1 cannot start its processes: %2").arg(node, sentence),
             Failure::refused);
    tearDown(tr("No process is started on any node."));
}

/// What the agent ends from now on has not failed.
void Supervisor::takeAgentEnd(const RunEvent &event)
{
    m_book.write(event);
    if (m_state.phase == RunPhase::Stopping)
        return;
    if (event.status) {
        requestStop(AgentOrder::Kind::Stop,
                    tr("The agent of %1 was asked to end (%2).").arg(event.node, event.status->text()));
        return;
    }
    const QString reason = tr("%1 ended its processes: %2.").arg(event.node, event.text);
    if (!m_record.failure)
        failNode(event.node, reason);
    tearDown(reason);
}

void Supervisor::failNode(const QString &node, const QString &reason, int exitCode)
{
    Failure failure;
    failure.node = node;
    failure.reason = reason;
    failure.status = {ExitStatus::Kind::Exited, exitCode};
    m_book.fail(failure);
}

void Supervisor::takeLoss(const QString &node, const QString &how, const QDateTime &since)
{
    const bool isNamed = !m_record.plan.transport.isEmpty();
    const QString text = isNamed ? tr("Lost node %1 since %2: %3.").arg(node, clockText(since), how)
                                 : tr("Lost the agent of %1: %2.").arg(node, how);
    m_book.write(nodeEvent(RunEvent::Kind::AgentLost, node, text));
    m_requests.giveUpStacks(node, text);
    if (m_record.failure ? hasFailedAfter(*m_record.failure, m_state, node, since) : !m_isAskedToEnd)
        failNode(node, text);
    tearDown(tr("The processes of %1 are no longer supervised.").arg(node));
}

void Supervisor::tearDown(const QString &why)
{
    m_evidence.cancel();
    if (m_state.phase == RunPhase::Stopping)
        return;
    m_nodes.agents().orderAll(AgentOrder::Kind::TearDown);
    m_book.write(RunEvent::Kind::TearDown, why);
}

void Supervisor::requestStop(AgentOrder::Kind how, const QString &why)
{
    const bool isKill = how == AgentOrder::Kind::Kill;
    m_isAskedToEnd = true;
    takeStopCode(isKill);
    m_nodes.agents().orderAll(how);
    m_book.write(RunEvent::Kind::StopRequested, why);
    if (m_nodes.isWaiting())
        concludeIfDone();
}

void Supervisor::takeStopCode(bool isKill)
{
    if (m_stopCode == 0)
        m_stopCode = ExitStatus{ExitStatus::Kind::Signalled, isKill ? SIGKILL : SIGTERM}.shellCode();
}

/// A part whose end was requested counts only while it is not started again.
int Supervisor::stopCode() const
{
    return m_isAskedToEnd || std::ranges::any_of(m_state.ranks, &RankState::stopRequested) ? m_stopCode : 0;
}

void Supervisor::takeSignal(int number)
{
    if (number == SIGCHLD)
        lookAfterFamily();
    else if (number == SIGCONT)
        m_book.note(tr("The supervisor was paused (SIGSTOP) and now continues."));
    else
        requestStop(AgentOrder::Kind::Stop, tr("The supervisor got %1.").arg(ExitStatus::signalName(number)));
}

void Supervisor::lookAfterFamily()
{
    for (const QString &node : m_nodes.agents().continueStopped())
        m_book.note(tr("The agent of %1 was paused (SIGSTOP) and now continues.").arg(node));
    if (m_record.guardian && getppid() != m_record.guardian->pid) {
        m_record.guardian.reset();
        m_book.note(tr("The supervisor has lost its guardian. The run continues."));
        m_book.save();
    }
    m_nodes.childEnded();
}

void Supervisor::concludeIfDone()
{
    if (m_nodes.agents().hasOpen() || m_concluded)
        return;
    if (m_failedAttempt && !m_record.failure && stopCode() == 0)
        restart();
    else if (!m_nodes.release())
        conclude();
}

void Supervisor::conclude()
{
    m_concluded = true;
    m_evidence.cancel();
    m_requests.setAgents(nullptr);
    m_found.finish();
    m_watch.stop();
    m_book.settleFailure();
    const bool isUnseen = m_record.plan.adopted && stopCode() == 0;
    if (m_record.failure || isUnseen)
        m_judge.start(m_book.directory());
    else
        finish();
}

void Supervisor::finish()
{
    if (const auto &failure = m_judge.judgement().failure; failure && !m_record.failure)
        m_book.fail(*failure);
    m_book.finish(stopCode(), m_judge.judgement().process);
    m_server.notify();
    m_server.close();
    if (m_record.guardian)
        kill(static_cast<pid_t>(m_record.guardian->pid), SIGCONT); // One that was stopped could not end.
    connect(&m_hook, &RunHook::idle, this, &Supervisor::finished);
    m_hook.start(m_book.directory(), m_record, phaseWord(m_record.phase),
                 m_record.failure ? failureTitle(*m_record.failure) : QString());
}

void Supervisor::orderSamples()
{
    if (m_nodes.hasAgents())
        m_nodes.agents().sample(m_server.wish(), m_watch.sampleInterval(m_server.wish()));
}

} // namespace rankdeck
