#include "agent/node/agent.h"

#include "agent/messages/processorders.h"
#include "agent/preflight/preflight.h"
#include "base/listcomma.h"
#include "base/numberranges.h"
#include "base/program.h"
#include "demo/demolaunch.h"
#include "ranktable/changes/ranktablegeneration.h"

#include <QFile>

#include <cerrno>

namespace rankdeck
{

/// As often as the head looks at the disks that it sees.
constexpr std::chrono::milliseconds diskLookEvery{500};

/// The guardian continues a supervisor that was stopped (SIGSTOP), unless it is stopped as well.
static void continueSupervisor()
{
    const pid_t supervisor = getppid();
    const auto process = readProcess(supervisor);
    if (process && process->state == 'T' && continueIfSuspended(process->parent))
        continueIfSuspended(supervisor);
}

Agent::Agent(bool isRemote)
    : m_head(isRemote ? silenceLimit : std::chrono::milliseconds(0))
    , m_signals({SIGCHLD, SIGTERM, SIGINT})
    , m_dumps(m_head)
    , m_preflight(m_head)
{
    becomeSubreaper();
    qunsetenv(hookVariable); // A run that a hook launches is none of that hook's leftovers.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    connect(&m_head, &HeadChannel::received, this, &Agent::carryOut);
    if (!isRemote)
        connect(&m_head, &HeadChannel::quiet, this, &continueSupervisor);
    connect(&m_head, &HeadChannel::lost, this, [this](std::chrono::seconds silence) {
        // A head that was frozen may read it yet.
        if (silence.count() > 0 && m_node && !m_isOver)
            m_head.tell(events::AgentEnds{
                {}, Sentence::tr("no message from the supervisor for %1 s").arg(silence.count())});
        end(NodeEnd::Abandon);
    });
    // A head that is back repeats which logs it wants.
    connect(&m_head, &HeadChannel::rejoined, this, [this] { m_logs.reset(); });
    connect(&m_head, &HeadChannel::settled, this, &Agent::finishIfDone);
    connect(&m_signals, &UnixSignals::received, this, &Agent::takeSignal);
    connect(&m_holdBack, &QTimer::timeout, this, &Agent::tellHeldBack);
}

/// Whether a rank has ended by a SIGTERM that is not from here.
static bool isEndedByOthers(const RunEvent &event)
{
    const auto *exited = event.as<events::ProcessExited>();
    return exited && exited->status && exited->status->shellCode() == 128 + SIGTERM;
}

void Agent::tellInTurn(const RunEvent &event)
{
    if (m_heldBack.isEmpty() && (m_endsProcesses || !isEndedByOthers(event))) {
        m_head.report(event);
        return;
    }
    m_heldBack << event;
    if (!m_holdBack.isActive())
        m_holdBack.start();
}

void Agent::tellHeldBack()
{
    m_holdBack.stop();
    for (const RunEvent &event : std::exchange(m_heldBack, {}))
        m_head.report(event);
    finishIfDone();
}

void Agent::takeSignal(int number)
{
    if (number != SIGCHLD) {
        m_head.tell(events::AgentEnds{ExitStatus{ExitStatus::Kind::Signalled, number}});
        tellHeldBack();
        end(NodeEnd::Stop);
        return;
    }
    if (m_node)
        m_node->childEnded();
    if (m_tools)
        m_tools->childEnded();
}

/// A function for each kind of order.
struct Agent::Handler {
    Agent &own;

    void operator()(const orders::Heartbeat &order) const { own.m_head.takeHeard(order.heard); }
    void operator()(const orders::Rejoin &order) const { own.m_head.resume(order.heard); }
    void operator()(const orders::Goodbye &) const { own.m_head.takeGoodbye(); }
    void operator()(const orders::Describe &) const
    {
        own.m_head.send(NodeDescription::ofThisNode().toLine());
    }
    void operator()(const orders::Gather &order) const
    {
        own.m_head.setSilenceLimit(std::chrono::seconds(order.silenceSeconds));
        own.m_head.awaitRejoin(order.rejoinId);
        own.m_head.send(NodePreparation::gather(order).toLine());
    }
    void operator()(const orders::Prepare &order) const { own.prepare(order); }
    void operator()(const orders::StartPrepared &order) const
    {
        own.m_copiesLogs = order.copiesLogs;
        own.startPrepared();
    }
    void operator()(const orders::FindHolders &order) const
    {
        own.m_head.send(NodePreparation::findHolders(order).toLine());
    }
    void operator()(const orders::EndHolders &order) const
    {
        // Queued: it runs a nested event loop in which orders are received.
        QTimer::singleShot(0, &own, [agent = &own, order] {
            agent->m_head.send(NodePreparation::endHolders(order).toLine());
        });
    }
    void operator()(const orders::Start &order) const { own.startNode(order.plan, order.node); }
    void operator()(const orders::TearDown &) const { own.end(NodeEnd::TearDown); }
    void operator()(const orders::Stop &) const { own.end(NodeEnd::Stop); }
    void operator()(const orders::Kill &) const { own.end(NodeEnd::Kill); }
    void operator()(const orders::ReadFiles &order) const { own.m_logPaths = order.files; }
    void operator()(const orders::StopProcesses &order) const { own.endProcesses(order.processes, false); }
    void operator()(const orders::KillProcesses &order) const { own.endProcesses(order.processes, true); }
    void operator()(const orders::StartProcesses &order) const { own.startAgain(order.processes); }
    void operator()(const orders::DumpStacks &order) const
    {
        own.m_dumps.dumpStacks(order, own.m_node.get());
    }
    void operator()(const orders::DumpRecorders &order) const
    {
        own.m_dumps.dumpRecorders(order, own.m_node.get());
    }
    void operator()(const orders::AttachTool &order) const { own.attachTool(order); }
    void operator()(const orders::NameRank &order) const { own.nameRank(order); }
    void operator()(const orders::CheckNode &order) const { own.m_preflight.check(order); }
    void operator()(const orders::StartSelfTest &order) const { own.m_preflight.startSelfTest(order); }
    void operator()(const orders::TellRank &order) const { own.m_preflight.tellRank(order); }
    void operator()(const orders::Sample &order) const { own.sample(order); }
    void operator()(const TerminalInput &input) const
    {
        if (own.m_node)
            own.m_node->type(input);
        if (own.m_tools)
            own.m_tools->type(input);
    }
    void operator()(const SignalRequest &request) const
    {
        own.m_endsProcesses = own.m_endsProcesses || request.number == SIGKILL;
        const QString name = ExitStatus::signalName(request.number);
        for (const int process : own.m_node ? own.m_node->send(request) : request.processes)
            own.m_head.report(signalRefusal(
                process, request.number, Sentence::tr("%1 was not sent: the process has ended.").arg(name)));
    }
};

void Agent::carryOut(const QByteArray &line)
{
    if (isLogLine(line)) {
        takeWish(line);
        return;
    }
    if (const auto order = orderFromLine(line))
        std::visit(Handler{*this}, *order);
}

void Agent::prepare(const orders::Prepare &order)
{
    m_preparation = std::make_unique<NodePreparation>();
    const PreparedNode prepared = m_preparation->prepare(order);
    const Holders &holders = m_preparation->holders();
    if (!holders.list.isEmpty() || holders.npuProblem)
        m_head.send(holders.toLine());
    m_head.send(prepared.toLine());
    m_logPaths = m_preparation->logPaths();
}

void Agent::startPrepared()
{
    if (!m_preparation)
        return;
    if (const auto error = m_preparation->keep())
        m_head.tell(events::Note{Sentence(error->sentence())});
    startNode(m_preparation->plan(), m_preparation->node());
    watchDisks(m_preparation->ownLogFolders());
}

void Agent::watchDisks(const QStringList &folders)
{
    if (folders.isEmpty())
        return;
    m_disks = std::make_unique<DiskWatch>(folders);
    connect(&m_diskLook, &QTimer::timeout, this, [this] {
        for (const DiskWatch::Change &change : m_disks->look())
            m_head.tell(events::Note{withColon(m_node->node(), change.text)});
    });
    m_diskLook.start(diskLookEvery);
}

/// The check before the start has found them free; a launch at the same moment may have been faster.
void Agent::reservePorts(const LaunchPlan &plan)
{
    QList<int> taken;
    if (plan.adopted)
        return;
    for (const int port : reservedPorts(plan, QProcessEnvironment::systemEnvironment())) {
        if (!m_ports.take(port) && isPortReserved(port))
            taken << port;
    }
    if (!taken.isEmpty())
        m_head.tell(events::Note{
            Sentence::tr("Another run has reserved ports that this one uses: %1.").arg(numberRanges(taken))});
}

void Agent::startNode(const LaunchPlan &plan, const QString &node)
{
    if (m_node)
        return;
    reservePorts(plan);
    m_node = std::make_unique<NodeRun>(plan, node);
    m_outOfMemory = std::make_unique<OutOfMemory>();
    m_prompts = std::make_unique<PromptWatch>(plan.promptPattern);
    connect(m_node.get(), &NodeRun::printed, m_prompts.get(), &PromptWatch::take);
    connect(m_prompts.get(), &PromptWatch::happened, &m_head, &HeadChannel::report);
    connect(m_node.get(), &NodeRun::happened, this, [this](RunEvent event) {
        m_outOfMemory->look(event, m_endsProcesses);
        const auto *exited = event.as<events::ProcessExited>();
        if (exited)
            m_prompts->forget(exited->process);
        tellInTurn(event);
        if (m_tools && exited)
            m_tools->endWith(exited->process);
    });
    connect(m_node.get(), &NodeRun::done, this, &Agent::endTools);
    m_node->start();
    sample(m_sampling);
}

void Agent::endProcesses(const QList<int> &processes, bool kill)
{
    m_endsProcesses = true;
    if (m_tools) {
        // A rank that is held by a debugger would not get its signal.
        m_tools->end(processes);
        for (const int process : processes)
            m_tools->endWith(process);
    }
    if (m_node)
        m_node->endProcesses(processes, kill);
}

void Agent::startAgain(const QList<int> &processes)
{
    for (const int process : processes) {
        if (m_node && m_node->pidOf(process) > 0) {
            m_endsProcesses = true;
            if (m_tools)
                m_tools->endWith(process); // It would hold the rank, and keep the signal from it.
        }
        if (!m_node || !m_node->startAgain(process))
            m_head.tell(events::StartRefused{
                process,
                Sentence::tr("It cannot be started again: no process of the run is left on its node.")});
    }
}

void Agent::attachTool(const orders::AttachTool &order)
{
    const ProcessPlan &tool = order.tool;
    QFile status(u"/proc/self/status"_s);
    const bool mayTrace = status.open(QIODevice::ReadOnly) && hasTracingCapability(status.readAll());
    const QString searchPath = searchPathFor(tool, QProcessEnvironment::systemEnvironment());
    Sentence problem = toolObstacle(tool, searchPath, ptraceScopeOfHost(), mayTrace);
    if (!m_node || m_node->pidOf(order.process) == 0)
        problem = Sentence::tr("Cannot attach to rank %1: it has ended.").arg(tool.rank.value);
    if (!problem.isEmpty()) {
        m_head.tell(
            events::ProcessNotStarted{order.index, ExitStatus{ExitStatus::Kind::NotStarted, EPERM}, problem});
        return;
    }
    if (!m_tools) {
        m_tools = std::make_unique<ToolGroup>(tool.node);
        connect(m_tools.get(), &ToolGroup::happened, &m_head, &HeadChannel::report);
        connect(m_tools.get(), &ToolGroup::started, this, [this](qint64 pid) { m_node->spare(pid); });
        connect(m_tools.get(), &ToolGroup::ended, this, [this](qint64 pid) { m_node->spareNoMore(pid); });
    }
    m_tools->start(order.index, order.process, tool);
}

void Agent::nameRank(const orders::NameRank &order)
{
    if (!m_node)
        return;
    ProcessPlan found = order.found;
    found.node = m_node->node();
    m_node->nameRank(order.index, found, order.pid);
    if (m_sampler)
        m_sampler->add(order.index, found);
}

/// An order that comes before the start is carried out after it.
void Agent::sample(const orders::Sample &order)
{
    m_sampling = order;
    const std::chrono::milliseconds interval(m_isOver ? 0 : order.intervalMs);
    if (!m_node || (!m_sampler && interval.count() == 0))
        return;
    if (!m_sampler) {
        DeviceSamplerSettings settings;
        settings.helper = programPath();
        const bool isDemo = !m_node->plan().inventedNpuSmi.isEmpty();
        if (!isDemo)
            settings.hccnTool = hccnToolPath();
        m_sampler = std::make_unique<NodeSampler>(
            m_node->plan(), m_node->node(), [this](int process) { return m_node->pidOf(process); },
            isDemo ? writeInventedNpuSmi(m_node->plan(), m_node->node()) : findDeviceSource(), settings);
        connect(m_sampler.get(), &NodeSampler::sampled, &m_head, [this](const NodeSample &sample) {
            const QByteArray line = sample.toLine();
            if (line.size() <= NodeSample::longestLine)
                m_head.send(line);
        });
        connect(m_sampler.get(), &NodeSampler::toolStarted, this, [this](qint64 pid) { m_node->spare(pid); });
        connect(m_sampler.get(), &NodeSampler::toolEnded, this,
                [this](qint64 pid) { m_node->spareNoMore(pid); });
    }
    m_sampler->want(interval, order.processes.value(0, -1));
}

void Agent::endTools()
{
    if (!m_tools || m_tools->isEmpty()) {
        finishLogs();
        return;
    }
    connect(m_tools.get(), &ToolGroup::done, this, &Agent::finishLogs);
    m_tools->endAll();
}

void Agent::takeWish(const QByteArray &line)
{
    const auto wish = LogWish::fromLine(line);
    if (!wish)
        return;
    if (!m_logs) {
        m_logs = std::make_unique<LogSender>(m_logPaths);
        connect(m_logs.get(), &LogSender::news, &m_head, &HeadChannel::send);
        connect(m_logs.get(), &LogSender::chunk, &m_head,
                [this](const QByteArray &bytes) { m_head.sendFrame(logChannel, bytes); });
        connect(m_logs.get(), &LogSender::caughtUp, this, &Agent::finishIfDone);
    }
    m_sendsLogs = true;
    m_logs->take(*wish);
    m_copiesLogs = m_copiesLogs && !wish->isLast;
    finishIfDone();
}

void Agent::finishLogs()
{
    m_isOver = true;
    m_diskLook.stop();
    sample(m_sampling);
    if (m_logs)
        m_logs->look();
    finishIfDone();
}

void Agent::finishIfDone()
{
    const bool hasLogsLeft = m_copiesLogs || (m_sendsLogs && (!m_logs || m_logs->hasUnsent()));
    if (!m_heldBack.isEmpty() && !m_head.isLost())
        return;
    if (m_isOver && (m_head.isLost() || (m_head.isSettled() && !hasLogsLeft)))
        finish();
}

void Agent::finish()
{
    m_head.flush();
    Q_EMIT finished();
}

void Agent::end(NodeEnd how)
{
    m_endsProcesses = true;
    m_dumps.letRanksGo();
    if (m_tools)
        m_tools->endAll();
    if (m_isOver) {
        // The head is gone or no longer waits for logs. A tear-down has nothing left to end here.
        if (how != NodeEnd::TearDown)
            finish();
        return;
    }
    if (m_node) {
        m_node->end(how);
        return;
    }
    m_isOver = true;
    m_head.tell(events::NodeDone());
    finishIfDone();
}

} // namespace rankdeck
