#pragma once

#include "agent/head/nodeagents.h"
#include "agent/supervise/runbook.h"
#include "agent/transport/allocation.h"
#include "run/strays/strays.h"

namespace rankdeck
{

/// The nodes of a run: those that Slurm grants, if asked; the agents of the current attempt; and the
/// processes that a lost agent leaves on this node. Writes events into the book that need no decision.
class RunNodes : public QObject
{
    Q_OBJECT

public:
    /// @param book must live as long as this object does.
    explicit RunNodes(RunBook &book);

    /// Asks Slurm for the nodes where the plan says so, and starts the first attempt.
    void start();
    /// Starts the next attempt, with agents of its own.
    void startAttempt();
    /// Gives back what Slurm has granted, once it has said why agents ended; ended() comes again then.
    /// Returns false if there is nothing.
    bool release();

    /// Valid after start(), until the next attempt.
    NodeAgents &agents() { return *m_agents; }
    bool hasAgents() const { return m_agents != nullptr; }
    /// Slurm has been asked and has not answered.
    bool isWaiting() const { return m_allocation && m_allocation->isWaiting(); }
    /// Called when a child of this process has ended.
    void childEnded() { m_killer.childEnded(); }

Q_SIGNALS:
    /// An attempt has its agents; none is started yet.
    void agentsMade(rankdeck::NodeAgents *agents);
    /// The launch is not possible; `node` is empty if Slurm refuses it.
    void refused(const QString &node, const rankdeck::Error &problem);
    /// See NodeAgents.
    void planned(const rankdeck::LaunchPlan &plan);
    void happened(const rankdeck::RunEvent &event);
    void sampled(const rankdeck::NodeSample &sample);
    /// `text` says that the stream to a node has broken.
    void linkLost(const QString &node, const rankdeck::Sentence &text);
    void lost(const QString &node, const rankdeck::Sentence &how, const QDateTime &since);
    /// All agents have ended, and nothing that they started is left here.
    void ended();

private:
    void askForNodes();
    void takeNodes(const QString &nodes);
    void makeAgents();
    /// Slurm may have ended the agents: if so, notes how the job has ended.
    void askSlurmWhy();
    void takeLinkLoss(const QString &node, const Sentence &how, const QDateTime &since);
    void takeEnd();

    RunBook &m_book;
    std::unique_ptr<NodeAgents> m_agents; ///< For the current attempt.
    std::unique_ptr<Allocation> m_allocation;
    SlurmJobQuestion m_slurm;
    StrayKiller m_killer;
    bool m_hasLost = false; ///< An agent has ended before it was done.
    bool m_hasAskedSlurm = false;
    bool m_isReleaseWanted = false;
};

} // namespace rankdeck
