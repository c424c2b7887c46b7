#pragma once

#include "agent/channel/agentorders.h"
#include "agent/channel/headchannel.h"
#include "agent/node/selftestranks.h"
#include "agent/preflight/nodecheck.h"

namespace rankdeck
{

/// What a preflight asks of a node: its checks, and ranks of the collective self-test. It starts nothing of a
/// launch.
class NodePreflight : public QObject
{
    Q_OBJECT

public:
    /// @param head must live as long as this object does; gets the answers.
    explicit NodePreflight(HeadChannel &head)
        : m_head(head)
    {
    }

    void check(const orders::CheckNode &order);
    void startSelfTest(const orders::StartSelfTest &order);
    void tellRank(const orders::TellRank &order);

private:
    HeadChannel &m_head;
    std::unique_ptr<NodeCheck> m_check;
    std::unique_ptr<SelfTestRanks> m_selfTest;
};

} // namespace rankdeck
