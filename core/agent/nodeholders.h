#pragma once

#include "agent/agentlink.h"
#include "agent/preflight/holders.h"
#include "launch/nodeoptions.h"

#include <QObject>
#include <QProcessEnvironment>

#include <memory>
#include <optional>
#include <vector>

namespace rankdeck
{

/// Asks every node of a launch for several, before it, who holds what the launch is going to use there. A
/// node that cannot be reached holds nothing up: the launch itself says why it cannot be used.
class NodeHolders : public QObject
{
    Q_OBJECT

public:
    /// @param plan for named nodes.
    /// @param environment of the launch.
    NodeHolders(const LaunchPlan &plan, const NodeOptions &options, const QProcessEnvironment &environment,
                QObject *parent = nullptr);
    ~NodeHolders() override;

    void ask();
    /// End the runs of ours that were found, all nodes at once.
    void end();

Q_SIGNALS:
    /// Every node has answered that will. Problems with npu-smi name their node.
    void found(const rankdeck::Holders &holders);
    /// The first problem, with its node.
    void ended(const std::optional<rankdeck::Error> &error);

private:
    struct Node {
        QString name;
        AgentOrder order;
        std::unique_ptr<AgentLink> link;
        std::optional<Holders> answer;
    };

    void take(Node &node, const Holders &holders);
    void lose(Node &node);
    void concludeIfAllHaveAnswered();

    std::vector<std::unique_ptr<Node>> m_nodes;
    bool m_isEnding = false;
};

} // namespace rankdeck
