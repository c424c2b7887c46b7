#include "agent/node/nodedumps.h"

#include "agent/channel/frames.h"

#include <QFile>
#include <QFileInfo>

namespace rankdeck
{

void NodeDumps::dumpStacks(const orders::DumpStacks &order, NodeRun *node)
{
    m_node = node;
    if (!m_stacks) {
        m_stacks = std::make_unique<StackDumper>();
        connect(m_stacks.get(), &StackDumper::happened, &m_head, &HeadChannel::report);
        connect(m_stacks.get(), &StackDumper::toolStarted, this,
                [this](qint64 pid) { m_node->spareLooker(pid); });
        connect(m_stacks.get(), &StackDumper::toolEnded, this,
                [this](qint64 pid) { m_node->spareNoMore(pid); });
    }
    std::vector<StackJob::Rank> ranks;
    for (const int process : order.processes) {
        const qint64 pid = m_node ? m_node->pidOf(process) : 0;
        if (pid == 0) {
            m_head.tell(events::StacksDumped{.process = process,
                                             .text = Sentence::tr("No stacks: the process is not running.")});
            continue;
        }
        const ProcessPlan &plan = m_node->plan().processes[static_cast<std::size_t>(process)];
        ranks.push_back(
            {process, pid, rankName(plan), plan.stderrFile.isEmpty() ? plan.logFile : plan.stderrFile});
    }
    StackTools tools = StackTools::inPath(qEnvironmentVariable("PATH"));
    if (order.isUrgent && !tools.euStack.isEmpty())
        tools.gdb.clear(); // It reads the symbols of hundreds of libraries first.
    m_stacks->dump(ranks, tools, order.dumpSignal);
}

void NodeDumps::dumpRecorders(const orders::DumpRecorders &order, NodeRun *node)
{
    m_node = node;
    m_sendsDumps = order.sendsDumps;
    if (!m_recorders) {
        m_recorders = std::make_unique<RecorderDumper>(
            node ? recorderPrefixes(node->plan(), node->node(), QProcessEnvironment::systemEnvironment())
                 : std::vector<RecorderPrefixes>());
        connect(m_recorders.get(), &RecorderDumper::finished, this,
                [this](const QStringList &dumps, int asked) {
                    if (m_sendsDumps)
                        send(dumps + m_recorders->ownDumps());
                    m_head.tell(events::RecordersDumped{dumpedText(dumps, asked)},
                                m_node ? m_node->node() : QString());
                });
    }
    m_recorders->start(std::chrono::seconds(order.seconds));
}

void NodeDumps::send(const QStringList &files)
{
    for (const QString &path : files) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        for (DumpPiece piece{QFileInfo(path).fileName(), true, file.read(DumpPiece::mostBytes)};
             piece.isFirst || !piece.bytes.isEmpty();
             piece = {piece.name, false, file.read(DumpPiece::mostBytes)})
            m_head.sendFrame(dumpChannel, piece.toBytes());
    }
}

} // namespace rankdeck
