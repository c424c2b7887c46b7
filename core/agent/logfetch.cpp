#include "agent/logfetch.h"

#include "agent/transport/reachingproblem.h"
#include "agent/transport/transports.h"
#include "launch/writtenfiles.h"

#include <QCoreApplication>

namespace rankdeck
{

LogFetch::LogFetch(RunState state, const QList<int> &processes, QObject *parent)
    : QObject(parent)
    , m_state(std::move(state))
    , m_processes(processes)
{
}

void LogFetch::start()
{
    if (const auto record = readRunRecord(m_state.directory))
        addNodes(*record);
    if (m_nodes.empty())
        Q_EMIT finished();
    for (const auto &node : m_nodes)
        node->link->start();
}

void LogFetch::addNodes(const RunRecord &record)
{
    for (const PlannedNode &node : m_state.plan->nodes) {
        std::vector<ProcessPlan> there;
        for (const int process : std::as_const(m_processes)) {
            const ProcessPlan &planned = m_state.plan->processes[static_cast<std::size_t>(process)];
            const bool isLost = m_state.ranks[static_cast<std::size_t>(process)].phase == RankPhase::Unknown;
            if (planned.node == node.node && !planned.copiedFrom.isEmpty() &&
                (isLost || !record.spec.nodes.mirror))
                there.push_back(planned);
        }
        if (!there.empty())
            add(node, record, there);
    }
}

void LogFetch::add(const PlannedNode &planned, const RunRecord &record,
                   const std::vector<ProcessPlan> &processes)
{
    m_nodes.push_back(std::make_unique<Node>());
    Node &node = *m_nodes.back();
    node.name = planned.node;
    for (const ProcessPlan &process : processes) {
        const QStringList files = writtenFiles(process);
        for (qsizetype file = 0; file < files.size(); ++file) {
            if (process.copiedFrom.value(file).isEmpty())
                continue;
            node.files << process.copiedFrom[file];
            node.copies << files[file];
        }
    }
    node.link =
        std::make_unique<AgentLink>(makeTransport(transportFrom(m_state.plan->transport), planned.host,
                                                  record.spec.nodes, QCoreApplication::applicationFilePath()),
                                    planned.node);
    node.link->setSilenceLimit(std::chrono::seconds(record.spec.nodes.silenceSeconds));
    connect(node.link.get(), &AgentLink::ready, this, [this, &node] { greet(node); });
    connect(node.link.get(), &AgentLink::ended, this, [this, &node, host = planned.host](const QString &how) {
        if (!node.isDone)
            Q_EMIT failed(tr("The logs on %1 cannot be fetched: %2")
                              .arg(node.name, problemOfReaching(how, host).sentence()));
        node.logs.reset();
        if (++m_ended == m_nodes.size())
            Q_EMIT finished();
    });
}

void LogFetch::greet(Node &node)
{
    AgentOrder order;
    order.kind = AgentOrder::Kind::ReadFiles;
    order.files = node.files;
    node.link->order(order);
    LogMirror::Options options;
    options.compress = true;
    node.logs = std::make_unique<NodeLogs>(*node.link, node.copies, options);
    connect(node.logs.get(), &NodeLogs::failed, this, &LogFetch::failed);
    connect(node.logs.get(), &NodeLogs::progressed, this, [this, &node](qint64 bytesLeft) {
        node.bytesLeft = bytesLeft;
        qint64 all = 0;
        for (const auto &each : m_nodes)
            all += each->bytesLeft;
        Q_EMIT progressed(all);
        if (bytesLeft == 0)
            conclude(node);
    });
}

void LogFetch::conclude(Node &node)
{
    if (std::exchange(node.isDone, true))
        return;
    node.link->order({AgentOrder::Kind::Kill, {}, {}});
}

} // namespace rankdeck
