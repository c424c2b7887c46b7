#include "agent/supervise/runnodes.h"

#include "base/times.h"

namespace rankdeck
{

/// Replaces the placeholders by the names of the nodes that Slurm has granted.
static void nameNodes(std::vector<PlannedNode> &planned, const QStringList &names)
{
    for (std::size_t index = 0; index < planned.size(); ++index) {
        const QString &name = names.at(static_cast<qsizetype>(index));
        const QString stoodFor = std::exchange(planned[index].host, name);
        if (planned[index].node == stoodFor)
            planned[index].node = name;
    }
}

RunNodes::RunNodes(RunBook &book)
    : m_book(book)
{
    connect(&m_killer, &StrayKiller::reaped, this, [this](qint64 pid, const ExitStatus &status) {
        if (const auto end = m_book.state().endOf(pid, status))
            m_book.write(*end);
    });
    connect(&m_killer, &StrayKiller::happened, this, [this](const RunEvent &event) { m_book.write(event); });
    connect(&m_killer, &StrayKiller::done, this, &RunNodes::ended);
    connect(&m_slurm, &SlurmJobQuestion::answered, this, [this](const QString &job, const QString &state) {
        if (!state.isEmpty() && state != "RUNNING"_L1)
            m_book.note(Sentence::tr("The Slurm job %1 is %2.").arg(job, state.toLower()));
        if (std::exchange(m_isReleaseWanted, false))
            Q_EMIT ended();
    });
}

void RunNodes::start()
{
    makeAgents(); // Agents remember an order to stop that comes before their start.
    if (m_book.record().plan.allocation)
        askForNodes();
    else
        m_agents->start(m_book.state().attempt);
}

void RunNodes::startAttempt()
{
    makeAgents();
    m_agents->start(m_book.state().attempt);
}

bool RunNodes::release()
{
    m_isReleaseWanted = m_slurm.isAsking(); // A job that was given back says nothing of who ended it.
    if (m_isReleaseWanted)
        return true;
    if (!m_allocation || !m_allocation->isOpen())
        return false;
    m_allocation->release();
    return true;
}

void RunNodes::askForNodes()
{
    const RunRecord &record = m_book.record();
    m_allocation = std::make_unique<Allocation>(*record.plan.allocation, record.spec.nodes);
    connect(m_allocation.get(), &Allocation::identified, this, [this](qint64 pid, const QString &job) {
        m_book.write(events::Allocation{pid, job});
    });
    connect(m_allocation.get(), &Allocation::noted, &m_book, &RunBook::note);
    connect(m_allocation.get(), &Allocation::granted, this, &RunNodes::takeNodes);
    connect(m_allocation.get(), &Allocation::refused, this,
            [this](const Error &problem) { Q_EMIT refused({}, problem); });
    connect(m_allocation.get(), &Allocation::ended, this, &RunNodes::takeEnd, Qt::QueuedConnection);
    m_allocation->start();
}

void RunNodes::takeNodes(const QString &nodes)
{
    if (m_book.state().phase == RunPhase::Stopping)
        return;
    const auto names = readSlurmNodeList(nodes, QProcessEnvironment::systemEnvironment());
    LaunchPlan &plan = m_book.record().plan;
    if (!names || names->size() < static_cast<qsizetype>(plan.nodes.size())) {
        Q_EMIT refused({}, names ? Error{tr("Slurm allocated other nodes than requested"), nodes, {}}
                                 : names.error());
        Q_EMIT ended();
        return;
    }
    if (plan.allocation->names.isEmpty())
        nameNodes(plan.nodes, *names);
    m_agents->start(m_book.state().attempt);
}

void RunNodes::makeAgents()
{
    std::optional<LaunchPlan> unplaced;
    if (m_agents) {
        unplaced = m_agents->unplacedPlan();
        m_agents.release()->deleteLater(); // The agents may be the sender of the present signal.
    }
    m_agents = std::make_unique<NodeAgents>(m_book.record(), m_book.directory(), std::move(unplaced));
    m_hasAskedSlurm = false;
    const NodeAgents *agents = m_agents.get();
    connect(agents, &NodeAgents::agentStarted, this,
            [this](const QString &node, const auto &agent) { m_book.write(agent, node); });
    connect(agents, &NodeAgents::noted, &m_book, &RunBook::note);
    connect(agents, &NodeAgents::planned, this, &RunNodes::planned);
    connect(agents, &NodeAgents::notPrepared, this, &RunNodes::refused);
    connect(agents, &NodeAgents::happened, this, [this](const RunEvent &event) {
        if (event.is<events::AgentEnds>())
            askSlurmWhy();
        Q_EMIT happened(event);
    });
    connect(agents, &NodeAgents::sampled, this, &RunNodes::sampled);
    connect(agents, &NodeAgents::linkLost, this, &RunNodes::takeLinkLoss);
    connect(agents, &NodeAgents::linkBack, this, [this](const QString &node) {
        m_book.write(events::LinkBack{Sentence::tr("%1 is connected again.").arg(node)}, node);
    });
    connect(agents, &NodeAgents::lost, this, [this](const auto &node, const auto &how, const auto &since) {
        Q_EMIT lost(node, how, since);
        m_hasLost = true;
        askSlurmWhy();
    });
    connect(agents, &NodeAgents::ended, this, &RunNodes::takeEnd);
    Q_EMIT agentsMade(m_agents.get());
}

void RunNodes::askSlurmWhy()
{
    if (transportFrom(m_book.record().plan.transport) == TransportKind::Slurm && !m_hasAskedSlurm)
        m_slurm.askForEnd();
    m_hasAskedSlurm = true;
}

void RunNodes::takeLinkLoss(const QString &node, const Sentence &how, const QDateTime &since)
{
    const Sentence text =
        Sentence::tr("%1: connection lost, trying again since %2: %3.").arg(node, clockText(since), how);
    m_book.write(events::LinkLost{text}, node);
    Q_EMIT linkLost(node, text);
}

/// The processes of an open link are its agent's to end. What an agent that was killed left here has to be
/// ended from here: its workers have a death signal of their own, their children do not.
void RunNodes::takeEnd()
{
    if (m_agents->hasOpen())
        return;
    if (m_hasLost && !(m_allocation && m_allocation->isOpen()))
        m_killer.start();
    else
        Q_EMIT ended();
}

} // namespace rankdeck
