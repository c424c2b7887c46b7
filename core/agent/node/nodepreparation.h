#pragma once

#include "agent/channel/agentprotocol.h"
#include "agent/nodereplies.h"
#include "agent/preflight/holders.h"
#include "agent/preflight/logreservation.h"
#include "agent/preflight/sharemark.h"

#include <QString>

namespace rankdeck
{

/// An agent's side of a launch for several nodes, up to the start: what it finds on its node, and the files
/// that the node's share needs. What it has made goes away with it unless the share is started.
class NodePreparation
{
public:
    /// Make `environment` this process's, and look at the node. Reads files.
    static GatheredFacts gather(const AgentOrder &order);

    /// Who holds what the share that `order` brings is going to use, under the environment that it brings.
    static Holders findHolders(const AgentOrder &order);

    /// Check the share that `order` brings and make its files. Once.
    PreparedNode prepare(const AgentOrder &order);
    /// Who held what the share uses when it was prepared.
    const Holders &holders() const { return m_holders; }

    /// What the head may want copies of: writtenFiles() of each process of the share, in their order,
    /// and hookLogs().
    QStringList logPaths() const;
    /// The share as prepared, paths on this node.
    const LaunchPlan &plan() const { return m_plan; }
    const QString &node() const { return m_node; }
    /// The processes are about to be started. Error: a log that cannot be emptied.
    std::optional<Error> keep();

private:
    LaunchPlan m_plan;
    QString m_node;
    LogReservation m_logs;
    std::optional<ShareMark> m_mark;
    Holders m_holders;
};

/// Make `environment` this process's, on top of what it has.
void takeOverEnvironment(const QMap<QString, QString> &environment);

/// Which variables of the launch's environment `environment` the other nodes get too: not those that say
/// where somebody has logged in and who it is there.
QMap<QString, QString> environmentForNodes(const QProcessEnvironment &environment);

} // namespace rankdeck
