#include "agent/supervise/lostrun.h"

#include "agent/transport/allocation.h"
#include "base/regularfile.h"
#include "run/record/rundirectory.h"

#include <algorithm>
#include <csignal>

namespace rankdeck
{

LostRun::LostRun(QString runDirectory, const GuardedProcess &supervisor)
    : m_directory(std::move(runDirectory))
    , m_supervisor(supervisor)
    , m_signals({SIGCHLD, SIGTERM, SIGINT})
{
    signal(SIGHUP, SIG_IGN);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        m_goodbyes.clear(); // What they have started is nobody else's to kill.
        m_killer.start();
    });
    connect(&m_signals, &UnixSignals::received, this, [this](int number) {
        if (number == SIGCHLD)
            childEnded();
    });
    connect(&m_killer, &StrayKiller::reaped, this, [this](qint64 pid, const ExitStatus &status) {
        if (const auto end = m_state.endOf(pid, status))
            record(*end);
    });
    connect(&m_killer, &StrayKiller::happened, this, &LostRun::record);
    connect(&m_killer, &StrayKiller::done, this, &LostRun::conclude);
}

void LostRun::start()
{
    const auto loaded = readRunRecord(m_directory);
    const bool isOurs = loaded && isLive(loaded->phase) &&
                        (!loaded->supervisor || loaded->supervisor->pid == m_supervisor.pid);
    if (loaded && !isOurs) {
        Q_EMIT finished();
        return;
    }
    // Without a directory, which a user may have removed, only the processes are stopped.
    if (loaded) {
        m_record = *loaded;
        m_journal.emplace(m_directory);
    }
    readJournal();
    m_record.ended = QDateTime::currentDateTimeUtc();
    const Sentence loss =
        Sentence::tr("%1 (%2)").arg(lossText(m_record.ended, true), m_supervisor.status.text());
    if (!m_record.failure)
        m_record.failure = failureOfLoss(m_record, loss);
    record(RunEvent::now(events::TearDown{loss}));
    for (const pid_t agent : m_agents) {
        // SIGCHLD reports a stop from now on. A running agent is left alone: SIGCONT would take a debugger's
        // stop away.
        if (const auto process = readProcess(agent); process && process->state == 'T')
            kill(agent, SIGCONT);
    }
    sayGoodbye();
    m_limit.start(std::chrono::seconds(m_record.plan.graceSeconds) + 2 * unkillableAfter);
    killRestIfAgentsEnded();
}

/// An agent of another node that has lost its stream waits for its head. Where the head's process died, this
/// machine is still there to tell.
void LostRun::sayGoodbye()
{
    const TransportKind kind = transportFrom(m_record.plan.transport);
    for (const PlannedNode &node : m_record.plan.nodes) {
        const events::AgentStarted agent = m_farAgents.value(node.node);
        if (agent.rejoinId.isEmpty())
            continue;
        m_goodbyes.push_back(std::make_unique<Goodbye>([this, kind, agent, host = node.host] {
            return makeRejoinTransport(kind, host, m_record.spec.nodes, agent.program, agent.rejoinId);
        }));
        connect(m_goodbyes.back().get(), &Goodbye::done, this, &LostRun::killRestIfAgentsEnded);
        m_goodbyes.back()->start();
    }
}

void LostRun::readJournal()
{
    m_state.setPlan(m_record.plan);
    RegularFile journal(journalPath(m_directory));
    if (!journal.open(QIODevice::ReadOnly))
        return;
    while (!journal.atEnd()) {
        const auto event = RunEvent::fromLine(journal.readLine());
        if (!event)
            continue;
        m_state.apply(*event);
        if (const auto *allocation = event->as<events::Allocation>()) {
            m_job = allocation->job;
            addIfOwn(allocation->pid);
        } else if (const auto *agent = event->as<events::AgentStarted>()) {
            addIfOwn(agent->pid);
            if (!agent->program.isEmpty())
                m_farAgents.insert(event->node, *agent);
        }
    }
}

/// A child of the supervisor's is one of the guardian's now.
void LostRun::addIfOwn(qint64 pid)
{
    const auto process = readProcess(static_cast<pid_t>(pid));
    if (process && process->parent == getpid())
        m_agents.insert(process->pid);
}

bool LostRun::anAgentLives() const
{
    return std::any_of(m_agents.begin(), m_agents.end(), [](pid_t agent) {
        const auto process = readProcess(agent);
        return process && process->parent == getpid() && process->state != 'Z';
    });
}

void LostRun::childEnded()
{
    for (const pid_t agent : m_agents)
        continueIfStopped(agent);
    m_killer.childEnded();
    killRestIfAgentsEnded();
}

void LostRun::killRestIfAgentsEnded()
{
    if (!m_limit.isActive() || anAgentLives() || !std::ranges::all_of(m_goodbyes, &Goodbye::isDone))
        return;
    m_limit.stop();
    m_killer.start();
}

void LostRun::conclude()
{
    if (!m_job.isEmpty())
        cancelSlurmJob(m_job); // salloc may have been killed too.
    m_record.phase = RunPhase::Lost;
    m_record.exitCode = m_record.failure->status.shellCode();
    if (m_journal) {
        writeRunRecord(m_directory, m_record);
        giveBackRoomForRunRecord(m_directory);
    }
    record(RunEvent::now(events::Finished{m_record.phase, m_record.exitCode}));
    Q_EMIT finished();
}

void LostRun::record(const RunEvent &event)
{
    if (m_journal)
        m_journal->append(event);
    m_state.apply(event);
}

} // namespace rankdeck
