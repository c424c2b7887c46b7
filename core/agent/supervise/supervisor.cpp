#include "agent/supervise/supervisor.h"

#include "base/times.h"
#include "diagnosis/failure/failurereport.h"
#include "run/workers/ranksearch.h"

#include <unistd.h>

namespace rankdeck
{

/// Returns the failure that is this end of a process.
static Failure failureAt(const RunState &state, const ProcessEnd &end)
{
    return failureAt(state, end.process, end.pid, end.status, end.text);
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
    , m_stallEvidence(m_book, m_requests)
{
    connect(&m_schedulerLimit, &QTimer::timeout, this, [this] {
        decide(heard::SchedulerOverdue{
            Sentence::tr("All workers have ended, but %1 s later the scheduler has not. It is ended now.")
                .arg(m_record.plan.graceSeconds)});
    });
    connect(&m_book, &RunBook::written, &m_evidence, &EvidenceBeforeEnd::take);
    connect(&m_book, &RunBook::written, &m_stallEvidence, &StallEvidence::take);
    connect(&m_book, &RunBook::written, &m_server, &RunServer::notify);
    connect(&m_evidence, &EvidenceBeforeEnd::wanted, &m_requests,
            [this](const QList<int> &processes) { m_requests.dumpStacks(processes, true); });
    connect(&m_stallEvidence, &StallEvidence::began, this, [this] {
        if (!m_policy.isConcluded)
            m_hook.start(m_book.directory(), m_record, u"stalled"_s, m_state.stall->sentence);
    });
    connect(&m_evidence, &EvidenceBeforeEnd::done, this, [this] { decide(heard::EvidenceTaken{}); });
    connect(&m_judge, &RunJudge::done, this, [this] {
        const auto &[named, found] = m_judge.found();
        const std::optional<Failure> &failure = m_record.failure ? m_record.failure : found;
        decide(heard::Judged{failure ? std::optional(m_book.codeOf(*failure, named)) : std::nullopt});
    });
    connect(&m_signals, &UnixSignals::received, this, &Supervisor::takeSignal);
    connect(&m_watch, &RunWatch::sampleIntervalChanged, this, &Supervisor::orderSamples);
    connect(&m_watch, &RunWatch::looked, &m_server, &RunServer::listenAgainIfGone);
    connect(&m_watch, &RunWatch::looked, &m_found, &FoundRanks::look);
    connect(&m_watch, &RunWatch::looked, this, [this] { learnRanks(false); });
    connect(&m_found, &FoundRanks::planChanged, &m_watch, &RunWatch::followLogs);
    connect(&m_watch, &RunWatch::looked, this, [this] {
        // A run of a command in the foreground does not outlive it.
        if (m_record.tiedTo && !isAlive(*m_record.tiedTo))
            decide(heard::CallerEnded{Sentence::tr("The command that launched the run has ended.")});
    });
    connect(&m_requests, &ProcessRequests::happened, &m_book,
            [this](const RunEvent &event) { m_book.write(event); });
    connect(&m_requests, &ProcessRequests::stacksAsked, &m_watch, &RunWatch::awaitStacks);
    connectNodes();
    connectServer();
    connect(&m_book, &RunBook::written, this, &Supervisor::hear); // After those who take note alone.
}

Supervisor::~Supervisor() = default;

void Supervisor::connectNodes()
{
    connect(&m_nodes, &RunNodes::agentsMade, this, [this](NodeAgents *agents) {
        m_requests.setAgents(agents);
        agents->showLogs(m_server.shown());
        orderSamples();
    });
    connect(&m_nodes, &RunNodes::refused, this, [this](const QString &node, const Error &problem) {
        const Sentence sentence(problem.sentence());
        decide(heard::LaunchRefused{
            node,
            node.isEmpty() ? sentence : Sentence::tr("%1 cannot start its processes: %2").arg(node, sentence),
            Sentence::tr("No process is started on any node.")});
    });
    connect(&m_nodes, &RunNodes::planned, this, &Supervisor::replan);
    connect(&m_nodes, &RunNodes::happened, this, &Supervisor::take);
    connect(&m_nodes, &RunNodes::sampled, this, [this](const NodeSample &sample) {
        m_server.send(sample);
        m_watch.takeSample(sample);
    });
    connect(&m_nodes, &RunNodes::linkLost, &m_requests, &ProcessRequests::giveUpStacks);
    connect(&m_nodes, &RunNodes::lost, this, &Supervisor::takeLoss);
    connect(&m_nodes, &RunNodes::ended, this, &Supervisor::hearIfAllEnded);
}

void Supervisor::connectServer()
{
    connect(&m_server, &RunServer::shownChanged, this, [this] {
        if (m_nodes.hasAgents())
            m_nodes.agents().showLogs(m_server.shown());
        m_watch.show(m_server.shown());
    });
    connect(&m_server, &RunServer::wishChanged, this, &Supervisor::orderSamples);
    connect(&m_server, &RunServer::requested, this, &Supervisor::takeRequest);
}

void Supervisor::takeRequest(const Request &request)
{
    if (const auto *start = std::get_if<StartRequest>(&request)) {
        decide(heard::StartRequested{start->processes});
        return;
    }
    const auto *stop = std::get_if<StopRequest>(&request);
    if (!stop)
        m_requests.carryOut(request);
    else if (!stop->isWhole())
        decide(heard::EndRequested{stop->processes, stop->kill});
    else if (stop->kill)
        decide(heard::StopRequested{true, Sentence::tr("Kill was requested.")});
    else
        decide(heard::StopRequested{
            false, m_record.plan.adopted
                       ? Sentence::tr("Rankdeck watches no more, as requested. The ranks go on: "
                                      "Rankdeck did not start them.")
                       : Sentence::tr("Stop was requested.")});
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
    if (const auto guardian = m_guardian ? readProcess(static_cast<pid_t>(m_guardian->pid)) : std::nullopt)
        m_keeper = guardian->parent;
    m_policy.takesEvidence = m_record.spec.common.takesEvidence;
    decide(heard::Planned{m_state.recordedPlan});
    for (const Sentence &note : m_record.plan.notes)
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
    const QList<Sentence> known = m_record.plan.notes;
    m_book.replacePlan(plan);
    m_book.write(events::Planned());
    for (const Sentence &note : plan.notes) {
        if (!known.contains(note))
            m_book.note(note);
    }
    m_book.indexLogs();
    m_watch.followLogs();
}

void Supervisor::take(const RunEvent &event)
{
    const bool isTools = event.process() >= static_cast<int>(m_state.ranks.size());
    const auto *dumped = event.as<events::StacksDumped>();
    if (const auto *found = event.as<events::RankFound>()) {
        takeFound(*found);
    } else if (dumped && !isTools) {
        RunEvent kept = event;
        kept.what = m_requests.keepStacks(*dumped, event.wall);
        m_book.write(kept);
    } else {
        m_book.write(event);
        const auto *started = event.as<events::ProcessStarted>();
        if (started && !isTools)
            m_requests.sizeTerminal(started->process);
    }
}

void Supervisor::takeFound(const events::RankFound &found)
{
    const auto plan = foundFromText(found.plan);
    const auto index = plan ? m_found.indexOf(*plan) : std::nullopt;
    if (index)
        m_nodes.agents().nameRank(*index, m_record.plan.processes[static_cast<std::size_t>(*index)],
                                  found.pid);
}

void Supervisor::learnRanks(bool isEnd)
{
    const LaunchPlan &known = *m_state.plan;
    const bool isOpen = std::ranges::any_of(known.processes, &ProcessPlan::isRankOpen);
    const bool isByTable = known.launcher == "msrun"_L1 && !known.rankTableFile.isEmpty();
    if ((!isOpen && !isByTable) || m_told.areAllTold(known))
        return;
    m_told.read(known);
    LaunchPlan numbered = known;
    if ((isEnd || m_told.areAllTold(known)) && m_told.giveTo(numbered)) {
        m_book.renumber(numbered);
        m_watch.followLogs();
    }
}

void Supervisor::takeLoss(const QString &node, const Sentence &how, const QDateTime &since)
{
    const bool isNamed = !m_record.plan.transport.isEmpty();
    const Sentence text = isNamed
                              ? Sentence::tr("Lost node %1 since %2: %3.").arg(node, clockText(since), how)
                              : Sentence::tr("Lost the agent of %1: %2.").arg(node, how);
    m_book.write(events::AgentLost{text}, node);
    m_requests.giveUpStacks(node, text);
    decide(heard::AgentLost{node, text,
                            Sentence::tr("The processes of %1 are no longer supervised.").arg(node), since});
}

void Supervisor::takeSignal(int number)
{
    if (number == SIGCHLD)
        lookAfterFamily();
    else if (number == SIGCONT)
        m_book.note(Sentence::tr("The supervisor was paused (SIGSTOP) and now continues."));
    else
        decide(heard::StopRequested{
            false, Sentence::tr("The supervisor got %1.").arg(ExitStatus::signalName(number))});
}

void Supervisor::lookAfterFamily()
{
    for (const QString &node : m_nodes.agents().continueStopped())
        m_book.note(Sentence::tr("The agent of %1 was paused (SIGSTOP) and now continues.").arg(node));
    if (m_record.guardian && getppid() != m_record.guardian->pid) {
        m_record.guardian.reset();
        m_book.note(Sentence::tr("The supervisor has lost its guardian. The run continues."));
        m_book.save();
    }
    m_nodes.childEnded();
}

void Supervisor::orderSamples()
{
    if (m_nodes.hasAgents())
        m_nodes.agents().sample(m_server.wish(), m_watch.sampleInterval(m_server.wish()));
}

/// What the policy hears of each kind of event.
struct Supervisor::Hearing {
    Supervisor &own;
    const RunEvent &head;

    void operator()(const auto &) const {}
    void operator()(const events::Planned &) const { own.decide(heard::Planned{own.m_state.recordedPlan}); }
    void operator()(const events::ProcessStarted &event) const
    {
        own.decide(heard::ProcessStarted{event.process, !event.logged.isEmpty()});
    }
    void operator()(const events::ProcessExited &event) const
    {
        if (event.status)
            own.decide(heard::ProcessEnded{{event.process, event.pid, *event.status, {}, head.wall}});
    }
    void operator()(const events::ProcessNotStarted &event) const
    {
        if (event.status)
            own.decide(heard::ProcessEnded{{event.process, 0, *event.status, event.text, head.wall}});
    }
    void operator()(const events::Survived &event) const
    {
        const ExitStatus unknown{ExitStatus::Kind::Unknown, 0};
        own.decide(
            heard::ProcessSurvived{head.node, {event.process, event.pid, unknown, event.text, head.wall}});
    }
    void operator()(const events::ProcessStopRequested &event) const
    {
        own.decide(heard::EndOrdered{event.process});
    }
    void operator()(const events::StartRefused &event) const
    {
        own.decide(heard::StartRefused{event.process});
    }
    void operator()(const events::LinkBack &) const { own.decide(heard::StartsForgotten{head.node}); }
    void operator()(const events::NodeDone &) const { own.decide(heard::StartsForgotten{head.node}); }
    void operator()(const events::BeforeFailed &event) const
    {
        if (event.status)
            own.decide(heard::HookFailed{head.node, event.pid, *event.status, event.text});
    }
    void operator()(const events::AgentEnds &event) const
    {
        const Sentence text =
            event.status
                ? Sentence::tr("The agent of %1 was asked to end (%2).").arg(head.node, event.status->text())
                : Sentence::tr("%1 ended its processes: %2.").arg(head.node, event.text);
        own.decide(heard::AgentEnds{head.node, event.status.has_value(), text});
    }
};

void Supervisor::hear(const RunEvent &event)
{
    std::visit(Hearing{*this, event}, event.what);
}

void Supervisor::hearIfAllEnded()
{
    if (!m_nodes.agents().hasOpen())
        decide(heard::AllEnded{});
}

void Supervisor::decide(const PolicyEvent &event)
{
    m_heard.push_back(event);
    if (m_heard.size() > 1) // Called while an effect is carried out.
        return;
    for (; !m_heard.empty(); m_heard.pop_front()) {
        for (const PolicyEffect &effect : runPolicy(m_policy, m_heard.front()))
            std::visit([this](const auto &known) { carryOut(known); }, effect);
    }
}

void Supervisor::carryOut(const effect::TakeEvidence &effect)
{
    const QStringList nodes = m_requests.dumpRecorders(EvidenceBeforeEnd::recorderLimit);
    const QList<int> processes =
        worthALook(m_state, failureAt(m_state, effect.end), QDateTime::currentMSecsSinceEpoch());
    if (!m_evidence.start(processes, nodes))
        decide(heard::EvidenceTaken{});
}

void Supervisor::carryOut(const effect::TearDown &effect)
{
    m_nodes.agents().orderAll(orders::TearDown());
    m_book.write(events::TearDown{effect.why});
}

void Supervisor::carryOut(const effect::TearDownAfter &effect)
{
    const Sentence why = effect.startsAgain
                             ? Sentence::tr("%1 failed (%2): all processes are ended and started again.")
                             : Sentence::tr("%1 failed (%2): the other processes are ended.");
    carryOut(
        effect::TearDown{why.arg(m_state.planOf(effect.end.process)->label(), effect.end.status.text())});
}

void Supervisor::carryOut(const effect::StopRun &effect)
{
    m_nodes.agents().orderAll(effect.isKill ? AgentOrder(orders::Kill()) : AgentOrder(orders::Stop()));
    m_book.write(events::StopRequested{effect.why});
    if (m_nodes.isWaiting())
        hearIfAllEnded();
}

void Supervisor::carryOut(const effect::RecordFailure &effect)
{
    m_book.fail(effect.end ? std::optional(failureAt(m_state, *effect.end)) : std::nullopt);
}

void Supervisor::carryOut(const effect::RecordHookFailure &effect)
{
    const auto &[node, pid, status, text] = effect.hook;
    m_book.fail(failureOfHook(m_record.plan, node, pid, status, text));
}

void Supervisor::carryOut(const effect::RecordNodeFailure &effect)
{
    Failure failure;
    failure.node = effect.node;
    failure.reason = effect.reason;
    failure.status = {ExitStatus::Kind::Exited, effect.exitCode};
    m_book.fail(failure);
}

void Supervisor::carryOut(const effect::NoteScheduler &)
{
    m_book.note(Sentence::tr(
        "The workers of this node have ended. The scheduler continues: workers of other nodes may need it."));
}

void Supervisor::carryOut(const effect::RefuseStarts &effect)
{
    if (effect.why == effect::RefuseStarts::Why::IsStopped)
        m_requests.refuseStarts(effect.processes);
    else
        m_requests.startAgain(effect.processes, true);
}

void Supervisor::carryOut(const effect::StartAttempt &effect)
{
    const Failure failure = settledFailure(m_state, failureAt(m_state, effect.cause));
    m_watch.mark();

    const Sentence why = failureTitle(failure);
    const Sentence text =
        Sentence::tr("Restart %1 of %2. %3.")
            .arg(QString::number(effect.attempt), QString::number(m_record.plan.maxRestarts),
                 failure.reason.isEmpty() ? why : Sentence::tr("%1 (%2)").arg(why, failure.reason));
    m_book.write(events::Restart{effect.attempt, text});
    m_watch.followLogs();
    m_nodes.startAttempt();
}

void Supervisor::carryOut(const effect::ReleaseNodes &)
{
    // Agents of another attempt may be open by now.
    if (!m_nodes.agents().hasOpen() && !m_nodes.release())
        decide(heard::NodesReleased{m_state.endStall.has_value()});
}

void Supervisor::carryOut(const effect::Conclude &)
{
    m_requests.setAgents(nullptr);
    m_found.finish();
    learnRanks(true);
    m_watch.stop();
    m_book.settleFailure();
}

void Supervisor::carryOut(const effect::Finish &effect)
{
    m_book.finish(effect.phase, effect.exitCode);
    m_server.notify();
    m_server.close();
    // One that was stopped could not end; the keeper is the parent of who has lost the guardian.
    if (const pid_t parent = getppid(); m_guardian && (parent == m_guardian->pid || parent == m_keeper))
        kill(parent, SIGCONT);
    connect(&m_hook, &RunHook::idle, this, &Supervisor::finished);
    m_hook.start(m_book.directory(), m_record, phaseWord(m_record.phase),
                 m_record.failure ? failureTitle(*m_record.failure) : QString());
}

} // namespace rankdeck
