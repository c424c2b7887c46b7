#include "agent/supervise/supervisor.h"

#include "agent/supervise/launcher.h"
#include "base/times.h"
#include "diagnosis/failure/failurereport.h"

#include <QFileInfo>

#include <unistd.h>

namespace rankdeck
{

constexpr int growthMs = 500;

/// Between two samples of a node …
constexpr std::chrono::milliseconds sampleInterval{2000};
/// … and the maximum of node samples per second; with more nodes each is sampled less often.
constexpr std::size_t nodesASecond = 32;

static RunEvent nodeEvent(RunEvent::Kind kind, const QString &node, const QString &text = {})
{
    RunEvent event = RunEvent::now(kind, text);
    event.node = node;
    return event;
}

/// Puts the names of the nodes that Slurm has given in the place of those that stood for them.
static void nameNodes(std::vector<PlannedNode> &planned, const QStringList &names)
{
    for (std::size_t index = 0; index < planned.size(); ++index) {
        const QString &name = names.at(static_cast<qsizetype>(index));
        const QString stoodFor = std::exchange(planned[index].host, name);
        if (planned[index].node == stoodFor)
            planned[index].node = name;
    }
}

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

/// Returns true if all workers of the plan have ended, and a scheduler has not.
static bool isOnlySchedulerAlive(const LaunchPlan &plan, const RunState &state)
{
    bool schedulerIsAlive = false;
    for (std::size_t index = 0; index < plan.processes.size(); ++index) {
        const bool isAlive = !state.ranks[index].status;
        if (isAlive && plan.processes[index].role != Role::Scheduler)
            return false;
        schedulerIsAlive = schedulerIsAlive || isAlive;
    }
    return schedulerIsAlive;
}

Supervisor::Supervisor(QString runDirectory, const std::optional<SupervisorId> &guardian, QObject *parent)
    : QObject(parent)
    , m_book(std::move(runDirectory))
    , m_record(m_book.record())
    , m_state(m_book.state())
    , m_guardian(guardian)
    , m_signals({SIGTERM, SIGINT, SIGCONT, SIGCHLD})
    , m_requests(m_book.directory(), m_record, m_state)
    , m_samples(m_book.directory())
{
    m_growthTimer.setInterval(growthMs);
    connect(&m_growthTimer, &QTimer::timeout, this, &Supervisor::look);
    m_schedulerTimer.setSingleShot(true);
    connect(&m_schedulerTimer, &QTimer::timeout, this, [this] {
        tearDown(tr("All workers have ended, and the scheduler has not %1 s later: it is ended.")
                     .arg(m_record.plan.graceSeconds));
    });
    connect(&m_killer, &StrayKiller::reaped, this, [this](qint64 pid, const ExitStatus &status) {
        if (const auto end = m_state.endOf(pid, status))
            record(*end);
    });
    connect(&m_killer, &StrayKiller::killed, this,
            [this](const ProcessInfo &stray) { record(sweptEvent(stray, SIGKILL)); });
    connect(&m_killer, &StrayKiller::failedToKill, this,
            [this](const ProcessInfo &stray) { record(RunEvent::Kind::Note, survivalText(stray)); });
    connect(&m_killer, &StrayKiller::done, this, &Supervisor::concludeIfDone);
    connect(&m_lastStacks, &StacksBeforeEnd::wanted, &m_requests,
            [this](const QList<int> &processes) { m_requests.dumpStacks(processes, true); });
    connect(&m_lastStacks, &StacksBeforeEnd::done, this, [this] { tearDown(m_whyTearDown); });
    connect(&m_judge, &RunJudge::done, this, &Supervisor::finish);
    connect(&m_signals, &UnixSignals::received, this, &Supervisor::takeSignal);
    connect(&m_server, &RunServer::shownChanged, this, [this] {
        if (m_agents)
            m_agents->showLogs(m_server.shown());
        if (m_stalls)
            m_stalls->show(m_server.shown(), QDateTime::currentMSecsSinceEpoch());
    });
    connect(&m_server, &RunServer::wishChanged, this, &Supervisor::orderSamples);
    connect(&m_server, &RunServer::dumpRequested, &m_requests,
            [this](const QList<int> &processes) { m_requests.dumpStacks(processes); });
    connect(&m_server, &RunServer::signalRequested, &m_requests, &ProcessRequests::sendSignal);
    connect(&m_server, &RunServer::toolRequested, &m_requests, &ProcessRequests::attachTool);
    connect(&m_server, &RunServer::typed, &m_requests, &ProcessRequests::type);
    connect(&m_requests, &ProcessRequests::happened, this, [this](const RunEvent &event) { record(event); });
    connect(&m_requests, &ProcessRequests::stacksAsked, this, [this](const QList<int> &processes) {
        m_stalls->awaitStacks(processes, QDateTime::currentMSecsSinceEpoch());
    });
    connect(&m_server, &RunServer::stopRequested, this, [this](const StopRequest &request) {
        if (!request.isWhole())
            stopProcesses(request);
        else if (request.kill)
            requestStop(AgentOrder::Kind::Kill, tr("Kill was asked for."));
        else
            requestStop(AgentOrder::Kind::Stop, tr("Stop was asked for."));
    });
}

Supervisor::~Supervisor() = default;

std::optional<Error> Supervisor::start()
{
    if (auto problem = m_book.open())
        return problem;
    becomeSubreaper();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    if (!m_server.listen(m_record.socketPath))
        return Error{
            tr("the control socket cannot be made: %1").arg(m_server.errorString()), m_record.socketPath, {}};
    m_record.supervisor = thisSupervisor();
    m_record.guardian = m_guardian;
    for (const QString &note : m_record.plan.notes)
        record(RunEvent::Kind::Note, note);
    if (m_record.plan.allocation)
        askForNodes();
    else
        startAttempt();
    m_book.save(); // While the agents come up.
    QStringList folders{m_book.directory()};
    for (const ProcessPlan &process : m_state.plan->processes)
        folders << QFileInfo(process.logFile).path();
    folders.removeDuplicates();
    m_keeper = std::make_unique<RunKeeper>(m_book.directory(), m_book.journal(), folders);
    m_growthTimer.start();
    return std::nullopt;
}

void Supervisor::askForNodes()
{
    followLogs();
    makeAgents(); // They remember an order to end that comes before their start.
    m_allocation = std::make_unique<Allocation>(*m_record.plan.allocation, m_record.spec.nodes);
    connect(m_allocation.get(), &Allocation::identified, this, [this](qint64 pid, const QString &job) {
        RunEvent event = RunEvent::now(RunEvent::Kind::Allocation, job);
        event.pid = pid;
        record(event);
    });
    connect(m_allocation.get(), &Allocation::noted, this,
            [this](const QString &sentence) { record(RunEvent::Kind::Note, sentence); });
    connect(m_allocation.get(), &Allocation::granted, this, &Supervisor::takeNodes);
    connect(m_allocation.get(), &Allocation::refused, this,
            [this](const Error &problem) { takeStartFailure({}, problem); });
    connect(m_allocation.get(), &Allocation::ended, this, &Supervisor::agentEnded, Qt::QueuedConnection);
    m_allocation->start();
}

void Supervisor::takeNodes(const QString &nodes)
{
    if (m_state.phase == RunPhase::Stopping)
        return;
    const auto names = readSlurmNodeList(nodes, QProcessEnvironment::systemEnvironment());
    std::vector<PlannedNode> &planned = m_record.plan.nodes;
    if (!names || names->size() < static_cast<qsizetype>(planned.size())) {
        takeStartFailure({}, names ? Error{tr("Slurm has given other nodes than it was asked for"), nodes, {}}
                                   : names.error());
        concludeIfDone();
        return;
    }
    if (m_record.plan.allocation->names.isEmpty())
        nameNodes(planned, *names);
    m_agents->start(m_state.attempt);
}

void Supervisor::startAttempt()
{
    followLogs();
    makeAgents();
    m_agents->start(m_state.attempt);
}

void Supervisor::makeAgents()
{
    std::optional<LaunchPlan> unplaced;
    if (m_agents)
        unplaced = m_agents->unplacedPlan();
    if (m_agents)
        m_agents.release()->deleteLater(); // It may be the sender of the signal we are in.
    m_agents = std::make_unique<NodeAgents>(m_record, m_book.directory(), std::move(unplaced));
    m_requests.setAgents(m_agents.get());
    connect(m_agents.get(), &NodeAgents::agentStarted, this, [this](const QString &node, qint64 pid) {
        RunEvent event = nodeEvent(RunEvent::Kind::AgentStarted, node);
        event.pid = pid;
        record(event);
    });
    connect(m_agents.get(), &NodeAgents::noted, this,
            [this](const QString &text) { record(RunEvent::Kind::Note, text); });
    connect(m_agents.get(), &NodeAgents::planned, this, &Supervisor::replan);
    connect(m_agents.get(), &NodeAgents::notPrepared, this, &Supervisor::takeStartFailure);
    connect(m_agents.get(), &NodeAgents::happened, this, &Supervisor::take);
    connect(m_agents.get(), &NodeAgents::sampled, this, &Supervisor::takeSample);
    connect(m_agents.get(), &NodeAgents::linkLost, this, &Supervisor::takeLinkLoss);
    connect(m_agents.get(), &NodeAgents::linkBack, this, [this](const QString &node) {
        record(nodeEvent(RunEvent::Kind::LinkBack, node, tr("%1 is connected again.").arg(node)));
    });
    connect(m_agents.get(), &NodeAgents::lost, this, &Supervisor::takeLoss);
    connect(m_agents.get(), &NodeAgents::ended, this, &Supervisor::agentEnded);
    m_agents->showLogs(m_server.shown());
    orderSamples();
}

void Supervisor::followLogs()
{
    QStringList logFiles;
    QMap<int, QString> errorFiles;
    for (const ProcessPlan &process : m_state.plan->processes) {
        logFiles << process.logFile;
        if (!process.stderrFile.isEmpty())
            errorFiles.insert(static_cast<int>(logFiles.size()) - 1, process.stderrFile);
    }
    m_growth = std::make_unique<GrowthMarks>(growthFolder(m_book.directory(), m_record.plan, m_state.attempt),
                                             logFiles, errorFiles);
    m_stalls = std::make_unique<StallWatch>(m_record.spec, *m_state.plan);
    m_stalls->show(m_server.shown(), QDateTime::currentMSecsSinceEpoch());
}

/// The nodes have prepared the launch: what was planned for them from here was an assumption.
void Supervisor::replan(const LaunchPlan &plan)
{
    const QStringList known = m_record.plan.notes;
    m_book.replacePlan(plan);
    record(RunEvent::now(RunEvent::Kind::Planned));
    for (const QString &note : plan.notes) {
        if (!known.contains(note))
            record(RunEvent::Kind::Note, note);
    }
    followLogs();
}

void Supervisor::take(const RunEvent &event)
{
    using Kind = RunEvent::Kind;
    if (event.process >= static_cast<int>(m_state.ranks.size())) {
        record(event); // An event of an attached tool never affects the outcome of the run.
        return;
    }
    if (event.kind == Kind::StacksDumped) {
        record(m_requests.keepStacks(event));
        return;
    }
    const bool wasStopping = m_state.phase == RunPhase::Stopping;
    record(event);
    if (event.kind == Kind::ProcessStarted)
        m_requests.sizeTerminal(event.process);
    const bool isEnd = event.kind == Kind::ProcessExited || event.kind == Kind::ProcessNotStarted;
    if (isEnd && event.process >= 0 && event.status && !event.status->isSuccess() && !wasStopping &&
        !m_record.failure && !m_failedAttempt &&
        !m_state.ranks[static_cast<std::size_t>(event.process)].stopRequested)
        takeFailure(event);
    if (isEnd)
        limitScheduler();
    if (event.kind == Kind::BeforeFailed && event.status && !wasStopping && !m_record.failure) {
        tearDown(event.text);
        recordFailure(failureOfHook(m_record.plan, event));
    }
}

void Supervisor::takeFailure(const RunEvent &event)
{
    const LaunchPlan &plan = m_record.plan;
    const QString label = plan.processes[static_cast<std::size_t>(event.process)].label();
    // A process that cannot be started would fail again.
    const bool isNotStarted = event.kind == RunEvent::Kind::ProcessNotStarted;
    const Failure failure = failureAt(m_state, event);
    if (plan.destroyWhenFinished && !isNotStarted && m_state.attempt < plan.maxRestarts && m_stopCode == 0) {
        m_failedAttempt = failure;
        tearDownAfterStacks(
            failure,
            tr("%1 failed (%2): all processes are ended and started anew.").arg(label, event.status->text()));
        return;
    }
    const QString why = tr("%1 failed (%2): the other processes are ended.").arg(label, event.status->text());
    if (isNotStarted)
        tearDown(why);
    else if (plan.destroyWhenFinished)
        tearDownAfterStacks(failure, why);
    recordFailure(failure);
}

void Supervisor::tearDownAfterStacks(const Failure &failure, const QString &why)
{
    m_whyTearDown = why;
    const QList<int> processes = worthALook(m_state, failure, QDateTime::currentMSecsSinceEpoch());
    if (processes.isEmpty())
        tearDown(why);
    else
        m_lastStacks.start(processes);
}

/// Called when all processes of the failed attempt have ended.
void Supervisor::restart()
{
    m_lastStacks.cancel();
    const Failure failure = settledFailure(m_state, *m_failedAttempt);
    m_failedAttempt.reset();
    m_schedulerTimer.stop();
    m_growth->mark();

    RunEvent event = RunEvent::now(RunEvent::Kind::Restart);
    event.attempt = m_state.attempt + 1;
    const QString why = failureTitle(failure);
    event.text = tr("Restart %1 of %2. %3.")
                     .arg(QString::number(event.attempt), QString::number(m_record.plan.maxRestarts),
                          failure.reason.isEmpty() ? why : tr("%1 (%2)").arg(why, failure.reason));
    record(event);
    startAttempt();
}

void Supervisor::limitScheduler()
{
    const LaunchPlan &plan = m_record.plan;
    if (m_schedulerTimer.isActive() || m_state.phase == RunPhase::Stopping ||
        !isOnlySchedulerAlive(plan, m_state))
        return;
    const auto workers = std::count_if(plan.processes.begin(), plan.processes.end(),
                                       [](const auto &process) { return process.role != Role::Scheduler; });
    if (workers >= plan.worldSize()) {
        m_schedulerTimer.start(plan.graceSeconds * 1000);
        return;
    }
    record(
        RunEvent::Kind::Note,
        tr("The workers of this node have ended. The scheduler goes on: those of other nodes may need it."));
}

void Supervisor::recordFailure(const Failure &failure)
{
    m_record.failure = failure;
    m_book.save();
    record(RunEvent::now(RunEvent::Kind::FailureRecorded));
}

/// Names the first failure by all error files, which are complete only at the end.
void Supervisor::settleFailure()
{
    if (!m_record.failure)
        return;
    const Failure settled = settledFailure(m_state, *m_record.failure);
    if (settled == *m_record.failure)
        return;
    if (settled.rank != m_record.failure->rank)
        record(RunEvent::Kind::Note, tr("Rank %1 failed before rank %2, by the time in its error.json.")
                                         .arg(settled.rank.value)
                                         .arg(m_record.failure->rank.value));
    recordFailure(settled);
}

void Supervisor::takeStartFailure(const QString &node, const Error &problem)
{
    const QString sentence = problem.sentence();
    if (m_isAskedToEnd || m_record.failure)
        return;
    Failure failure;
    failure.node = node;
    failure.reason = node.isEmpty() ? sentence : tr("%1 cannot start its share: %2").arg(node, sentence);
    failure.status = {ExitStatus::Kind::Exited, Failure::refused};
    recordFailure(failure);
    tearDown(tr("No process is started on any node."));
}

void Supervisor::takeLinkLoss(const QString &node, const QString &how, const QDateTime &since)
{
    const QString text =
        tr("%1: connection lost, trying again since %2: %3.").arg(node, clockText(since), how);
    record(nodeEvent(RunEvent::Kind::LinkLost, node, text));
    m_requests.giveUpStacks(node, text);
}

void Supervisor::takeLoss(const QString &node, const QString &how, const QDateTime &since)
{
    const bool isNamed = !m_record.plan.transport.isEmpty();
    const QString text = isNamed ? tr("Lost node %1 since %2: %3.").arg(node, clockText(since), how)
                                 : tr("Lost the agent of %1: %2.").arg(node, how);
    record(nodeEvent(RunEvent::Kind::AgentLost, node, text));
    m_requests.giveUpStacks(node, text);
    if (m_record.failure ? hasFailedAfter(*m_record.failure, m_state, node, since) : !m_isAskedToEnd) {
        Failure failure;
        failure.node = node;
        failure.reason = text;
        failure.status = {ExitStatus::Kind::Exited, 1};
        recordFailure(failure);
    }
    tearDown(tr("Nobody watches over the processes of %1 any more.").arg(node));
    m_hasLost = true;
}

void Supervisor::agentEnded()
{
    // The processes of an open link are its agent's to end. What an agent that was killed left here has to
    // be ended from here: its workers have a death signal of their own, their children do not.
    if (!m_agents->hasOpen() && m_hasLost && !(m_allocation && m_allocation->isOpen()))
        m_killer.start();
    else
        concludeIfDone();
}

void Supervisor::tearDown(const QString &why)
{
    m_lastStacks.cancel();
    if (m_state.phase == RunPhase::Stopping)
        return;
    m_agents->orderAll(AgentOrder::Kind::TearDown);
    record(RunEvent::Kind::TearDown, why);
}

void Supervisor::requestStop(AgentOrder::Kind how, const QString &why)
{
    const bool isKill = how == AgentOrder::Kind::Kill;
    m_isAskedToEnd = true;
    takeStopCode(isKill);
    m_agents->orderAll(how);
    record(RunEvent::Kind::StopRequested, why);
    if (m_allocation && m_allocation->isWaiting())
        concludeIfDone();
}

void Supervisor::takeStopCode(bool isKill)
{
    if (m_stopCode == 0)
        m_stopCode = ExitStatus{ExitStatus::Kind::Signalled, isKill ? SIGKILL : SIGTERM}.shellCode();
}

void Supervisor::stopProcesses(const StopRequest &request)
{
    QList<int> alive;
    QStringList names;
    for (const int process : request.processes) {
        const auto index = static_cast<std::size_t>(process);
        if (process < 0 || index >= m_state.ranks.size() || m_state.ranks[index].status)
            continue;
        alive << process;
        const ProcessPlan &plan = m_record.plan.processes[index];
        names << (plan.role == Role::Scheduler ? tr("the scheduler") : tr("rank %1").arg(plan.rank.value));
    }
    if (alive.isEmpty() || m_concluded)
        return;
    takeStopCode(request.kill);
    m_agents->endProcesses(alive, request.kill);
    for (const int process : alive) {
        RunEvent event = RunEvent::now(RunEvent::Kind::ProcessStopRequested);
        event.process = process;
        record(event);
    }
    record(RunEvent::Kind::Note, (request.kill ? tr("Kill was asked for %1.") : tr("Stop was asked for %1."))
                                     .arg(names.join(QStringLiteral(", "))));
}

void Supervisor::takeSignal(int number)
{
    if (number == SIGCHLD)
        lookAfterFamily();
    else if (number == SIGCONT)
        record(RunEvent::Kind::Note, tr("The supervisor had been stopped (SIGSTOP) and goes on."));
    else
        requestStop(AgentOrder::Kind::Stop, tr("The supervisor got %1.").arg(ExitStatus::signalName(number)));
}

void Supervisor::lookAfterFamily()
{
    for (const QString &node : m_agents->continueStopped())
        record(RunEvent::Kind::Note, tr("The agent of %1 had been stopped (SIGSTOP) and goes on.").arg(node));
    if (m_record.guardian && getppid() != m_record.guardian->pid) {
        m_record.guardian.reset();
        record(RunEvent::Kind::Note, tr("The supervisor has lost its guardian. The run goes on."));
        m_book.save();
    }
    m_killer.childEnded();
}

void Supervisor::concludeIfDone()
{
    if (m_agents->hasOpen() || m_concluded)
        return;
    if (m_failedAttempt && !m_record.failure && m_stopCode == 0)
        restart();
    else if (m_allocation && m_allocation->isOpen())
        m_allocation->release(); // Its end leads here again.
    else
        conclude();
}

void Supervisor::conclude()
{
    m_concluded = true;
    m_lastStacks.cancel();
    m_requests.setAgents(nullptr);
    m_growthTimer.stop();
    look();
    settleFailure();
    if (m_record.failure)
        m_judge.start(m_book.directory());
    else
        finish();
}

void Supervisor::finish()
{
    m_book.finish(m_stopCode);
    m_server.notify();
    m_server.close();
    if (m_record.guardian)
        kill(static_cast<pid_t>(m_record.guardian->pid), SIGCONT); // One that was stopped could not end.
    Q_EMIT finished();
}

void Supervisor::record(const RunEvent &event)
{
    m_book.write(event);
    m_lastStacks.take(event);
    if (m_stalls)
        m_stalls->take(event, QDateTime::currentMSecsSinceEpoch());
    m_server.notify();
}

void Supervisor::look()
{
    const RunKeeper::Findings found = m_keeper->look();
    for (const QString &folder : found.fullFolders)
        m_growth->markGaps(folder);
    const std::vector<int> grown = m_growth->mark(); // Before the notes: their readers look for gaps at once.
    for (const QString &note : found.notes)
        record(RunEvent::Kind::Note, note);
    lookForStalls(grown);
    m_book.saveIfNeeded();
    m_server.listenAgainIfGone();
}

void Supervisor::lookForStalls(const std::vector<int> &grown)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    m_stalls->grow(grown, now);
    const bool isNear = m_stalls->isStallNear() && m_state.phase == RunPhase::Running;
    if (std::exchange(m_samplesForStalls, isNear) != isNear)
        orderSamples();
    const auto news = m_stalls->look(now);
    if (news && m_state.phase == RunPhase::Running)
        record(*news);
}

void Supervisor::orderSamples()
{
    if (!m_agents)
        return;
    const SampleWish wish = m_server.wish();
    const std::chrono::seconds always(m_record.spec.common.sampleEverySeconds);
    std::chrono::milliseconds interval = always;
    if (wish.isWanted || m_samplesForStalls)
        interval = always.count() > 0 ? std::min(interval, sampleInterval) : sampleInterval;
    if (interval.count() > 0)
        interval =
            std::max(interval, std::chrono::milliseconds(1000 * m_record.plan.nodes.size() / nodesASecond));
    m_agents->sample(wish, interval);
}

void Supervisor::takeSample(const NodeSample &sample)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    m_server.send(sample);
    m_stalls->sample(sample, now);
    for (const RunEvent &event : m_samples.take(sample, *m_state.plan, now))
        record(event);
}

} // namespace rankdeck
