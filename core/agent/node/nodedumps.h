#pragma once

#include "agent/channel/agentorders.h"
#include "agent/channel/headchannel.h"
#include "agent/stacks/recorderdumper.h"
#include "agent/stacks/stackdumper.h"
#include "run/workers/noderun.h"

namespace rankdeck
{

/// Takes the stacks and the dumps of flight recorders that the head asks for, of the ranks of one node.
class NodeDumps : public QObject
{
    Q_OBJECT

public:
    /// @param head must live as long as this object does; gets events, and dumps that it cannot see.
    explicit NodeDumps(HeadChannel &head)
        : m_head(head)
    {
    }

    /// @param node null: no rank runs. Else it must live as long as this object does, and be the same each
    /// time.
    void dumpStacks(const orders::DumpStacks &order, NodeRun *node);
    void dumpRecorders(const orders::DumpRecorders &order, NodeRun *node);
    /// Ends the tools that hold ranks: they would keep a signal from them.
    void letRanksGo() { m_stacks.reset(); }

private:
    void send(const QStringList &files);

    HeadChannel &m_head;
    NodeRun *m_node = nullptr;
    std::unique_ptr<StackDumper> m_stacks;       ///< Once somebody has asked for some.
    std::unique_ptr<RecorderDumper> m_recorders; ///< Once somebody has asked for dumps.
    bool m_sendsDumps = false;                   ///< The head wants the dumps themselves.
};

} // namespace rankdeck
