#include "agent/node/agent.h"

#include "agent/messages/processorders.h"
#include "agent/node/inventednpusmi.h"
#include "agent/preflight/preflight.h"
#include "base/numberranges.h"
#include "base/program.h"
#include "launch/plan/planvariables.h"
#include "ranktable/changes/ranktablegeneration.h"

#include <QFile>

#include <cerrno>

namespace rankdeck
{

/// The guardian continues a supervisor that was stopped (SIGSTOP), unless it is stopped as well.
static void continueSupervisor()
{
    const pid_t supervisor = getppid();
    const auto process = readProcess(supervisor);
    if (process && process->state == 'T' && continueIfSuspended(process->parent))
        continueIfSuspended(supervisor);
}

Agent::Agent(bool isRemote, QObject *parent)
    : QObject(parent)
    , m_head(isRemote ? silenceLimit : std::chrono::milliseconds(0))
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
            m_head.report(RunEvent::now(RunEvent::Kind::AgentEnds,
                                        tr("no message from the supervisor for %1 s").arg(silence.count())));
        end(NodeEnd::Abandon);
    });
    // A head that is back repeats which logs it wants.
    connect(&m_head, &HeadChannel::rejoined, this, [this] { m_logs.reset(); });
    connect(&m_head, &HeadChannel::settled, this, &Agent::finishIfDone);
    connect(&m_signals, &UnixSignals::received, this, &Agent::takeSignal);
}

void Agent::takeSignal(int number)
{
    if (number != SIGCHLD) {
        RunEvent event = RunEvent::now(RunEvent::Kind::AgentEnds);
        event.status = ExitStatus{ExitStatus::Kind::Signalled, number};
        m_head.report(event);
        end(NodeEnd::Stop);
        return;
    }
    if (m_node)
        m_node->childEnded();
    if (m_tools)
        m_tools->childEnded();
}

void Agent::carryOut(const QByteArray &line)
{
    if (isLogLine(line)) {
        takeWish(line);
        return;
    }
    const auto order = AgentOrder::fromLine(line);
    if (!order)
        return;
    switch (order->kind) {
    case AgentOrder::Kind::Heartbeat:
        return m_head.takeHeard(order->heard);
    case AgentOrder::Kind::Rejoin:
        return m_head.resume(order->heard);
    case AgentOrder::Kind::Describe:
        return m_head.send(NodeDescription::ofThisNode().toLine());
    case AgentOrder::Kind::Gather:
        m_head.setSilenceLimit(std::chrono::seconds(order->silenceSeconds));
        m_head.awaitRejoin(order->rejoinId);
        m_head.send(NodePreparation::gather(*order).toLine());
        break;
    case AgentOrder::Kind::Prepare:
        return prepare(*order);
    case AgentOrder::Kind::FindHolders:
        return m_head.send(NodePreparation::findHolders(*order).toLine());
    case AgentOrder::Kind::EndHolders:
        // Queued: it runs a nested event loop in which orders are received.
        return QTimer::singleShot(
            0, this, [this, order = *order] { m_head.send(NodePreparation::endHolders(order).toLine()); });
    case AgentOrder::Kind::ReadFiles:
        m_logPaths = order->files;
        break;
    case AgentOrder::Kind::StartPrepared:
        m_copiesLogs = order->copiesLogs;
        startPrepared();
        break;
    case AgentOrder::Kind::Start:
        return startNode(order->plan, order->node);
    case AgentOrder::Kind::TearDown:
        return end(NodeEnd::TearDown);
    case AgentOrder::Kind::Stop:
        return end(NodeEnd::Stop);
    case AgentOrder::Kind::Kill:
        return end(NodeEnd::Kill);
    case AgentOrder::Kind::AttachTool:
        return attachTool(*order);
    case AgentOrder::Kind::NameRank:
        return nameRank(*order);
    case AgentOrder::Kind::Type:
        if (m_node)
            m_node->type(order->input);
        if (m_tools)
            m_tools->type(order->input);
        break;
    case AgentOrder::Kind::Signal:
        return sendSignal(*order);
    case AgentOrder::Kind::StopProcesses:
    case AgentOrder::Kind::KillProcesses:
        m_endsProcesses = true;
        if (m_tools) {
            // A rank that is held by a debugger would not get its signal.
            m_tools->end(order->processes);
            for (const int process : order->processes)
                m_tools->endWith(process);
        }
        if (m_node)
            m_node->endProcesses(order->processes, order->kind == AgentOrder::Kind::KillProcesses);
        break;
    case AgentOrder::Kind::StartProcesses:
        return startAgain(order->processes);
    case AgentOrder::Kind::DumpStacks:
        return m_dumps.dumpStacks(*order, m_node.get());
    case AgentOrder::Kind::DumpRecorders:
        return m_dumps.dumpRecorders(*order, m_node.get());
    case AgentOrder::Kind::Sample:
        return sample(*order);
    case AgentOrder::Kind::CheckNode:
        return m_preflight.check(*order);
    case AgentOrder::Kind::StartSelfTest:
        return m_preflight.startSelfTest(*order);
    case AgentOrder::Kind::TellRank:
        return m_preflight.tellRank(*order);
    }
}

void Agent::prepare(const AgentOrder &order)
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
        m_head.report(RunEvent::now(RunEvent::Kind::Note, error->sentence()));
    startNode(m_preparation->plan(), m_preparation->node());
}

/// The check before the start has found them free; a launch at the same moment may have been faster.
void Agent::reservePorts(const LaunchPlan &plan)
{
    QList<int> taken;
    if (plan.adopted)
        return;
    for (const int port : reservedPorts(plan, QProcessEnvironment::systemEnvironment())) {
        if (!m_ports.take(port) && lockerOfPort(port) != 0)
            taken << port;
    }
    if (!taken.isEmpty())
        m_head.report(RunEvent::now(
            RunEvent::Kind::Note,
            tr("Another run has reserved ports that this one uses: %1.").arg(numberRanges(taken))));
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
        if (event.kind == RunEvent::Kind::ProcessExited)
            m_prompts->forget(event.process);
        m_head.report(event);
        if (m_tools && event.kind == RunEvent::Kind::ProcessExited)
            m_tools->endWith(event.process);
    });
    connect(m_node.get(), &NodeRun::done, this, &Agent::endTools);
    m_node->start();
    sample(m_sampling);
}

void Agent::sendSignal(const AgentOrder &order)
{
    const int number = order.signalNumber;
    m_endsProcesses = m_endsProcesses || number == SIGKILL;
    const QString name = ExitStatus::signalName(number);
    for (const int process : m_node ? m_node->send({number, order.processes}) : order.processes)
        m_head.report(
            signalRefusal(process, number, tr("%1 was not sent: the process has ended.").arg(name)));
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
            m_head.report(startRefusal(
                process, tr("It cannot be started again: no process of the run is left on its node.")));
    }
}

void Agent::attachTool(const AgentOrder &order)
{
    const int index = order.processes.first();
    const ProcessPlan &tool = order.plan.processes.front();
    QFile status(QStringLiteral("/proc/self/status"));
    const bool mayTrace = status.open(QIODevice::ReadOnly) && hasTracingCapability(status.readAll());
    const QString searchPath = searchPathFor(tool, QProcessEnvironment::systemEnvironment());
    QString problem = toolObstacle(tool, searchPath, ptraceScopeOfHost(), mayTrace);
    if (!m_node || m_node->pidOf(order.processes.last()) == 0)
        problem = tr("Cannot attach to rank %1: it has ended.").arg(tool.rank.value);
    if (!problem.isEmpty()) {
        RunEvent event = RunEvent::now(RunEvent::Kind::ProcessNotStarted, problem);
        event.process = index;
        event.status = ExitStatus{ExitStatus::Kind::NotStarted, EPERM};
        m_head.report(event);
        return;
    }
    if (!m_tools) {
        m_tools = std::make_unique<ToolGroup>(tool.node);
        connect(m_tools.get(), &ToolGroup::happened, &m_head, &HeadChannel::report);
        connect(m_tools.get(), &ToolGroup::started, this, [this](qint64 pid) { m_node->spare(pid); });
        connect(m_tools.get(), &ToolGroup::ended, this, [this](qint64 pid) { m_node->spareNoMore(pid); });
    }
    m_tools->start(index, order.processes.last(), tool);
}

void Agent::nameRank(const AgentOrder &order)
{
    if (!m_node)
        return;
    ProcessPlan found = order.plan.processes.front();
    found.node = m_node->node();
    m_node->nameRank(order.processes.first(), found, order.processes.last());
    if (m_sampler)
        m_sampler->add(order.processes.first(), found);
}

/// An order that comes before the start is carried out after it.
void Agent::sample(const AgentOrder &order)
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
    sample(m_sampling);
    if (m_logs)
        m_logs->look();
    finishIfDone();
}

void Agent::finishIfDone()
{
    const bool hasLogsLeft = m_copiesLogs || (m_sendsLogs && (!m_logs || m_logs->hasUnsent()));
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
    m_head.report(RunEvent::now(RunEvent::Kind::NodeDone));
    finishIfDone();
}

} // namespace rankdeck
