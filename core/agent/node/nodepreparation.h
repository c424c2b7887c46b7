#pragma once

#include "agent/channel/agentorders.h"
#include "agent/messages/nodereplies.h"
#include "agent/preflight/holders.h"
#include "agent/preflight/logreservation.h"
#include "agent/preflight/openruns.h"
#include "launch/text/nodelist.h"

namespace rankdeck
{

/// An agent's side of a launch for several nodes, up to the start: what it finds on its node, and the files
/// that the node's share needs. What it has made goes away with it unless the share is started.
class NodePreparation
{
public:
    /// Takes over the environment in `order`, and gathers facts of the node. Reads files.
    static GatheredFacts gather(const orders::Gather &order);

    /// Returns who holds what the share in `order` is going to use, under the environment in `order`.
    static Holders findHolders(const orders::NodeShare &order);
    /// Ends those of them that belong to runs of ours, and returns what is left of that: the first problem.
    /// Runs an event loop of its own.
    static Holders endHolders(const orders::NodeShare &order);

    /// Checks the share in `order` and makes its files. Call it once.
    PreparedNode prepare(const orders::Prepare &order);
    /// Returns who held what the share uses when it was prepared.
    const Holders &holders() const { return m_holders; }

    /// What the head may want copies of: writtenFiles() of each process of the share, in their order,
    /// and hookLogs().
    QStringList logPaths() const;
    /// Returns the folders of these that the head does not see.
    QStringList ownLogFolders() const;
    /// The share as prepared, paths on this node.
    const LaunchPlan &plan() const { return m_plan; }
    const QString &node() const { return m_node; }
    /// Keeps the files: the processes are about to be started. Fails if a log cannot be emptied.
    std::optional<Error> keep();

private:
    LaunchPlan m_plan;
    QString m_node;
    QStringList m_sharedFolders; ///< The head sees them too.
    LogReservation m_logs;
    std::optional<ShareMark> m_mark;
    Holders m_holders;
};

/// Adds `environment` to the environment of this process.
void takeOverEnvironment(const QMap<QString, QString> &environment);

/// Returns the variables of the launch's environment that other nodes get too: not those about the user's
/// login and session on this machine, and with Command none that says where programs and libraries are: a
/// container has its own.
QMap<QString, QString> environmentForNodes(const QProcessEnvironment &environment, TransportKind kind);

} // namespace rankdeck
