#include "run/samples/samplecurves.h"

#include "launch/plan/launchplan.h"

#include <algorithm>

namespace rankdeck
{

/// A pause that is longer than this many usual distances, and than leastGapMs, is a gap.
constexpr qint64 gapFactor = 4;
constexpr qint64 leastGapMs = 15'000;

NodeHistories nodeHistories(const QString &runDirectory, const LaunchPlan &plan, const QList<int> &processes)
{
    const QStringList nodes = sampledNodes(plan);
    QMap<int, QList<int>> byNode;
    for (const int process : processes)
        byNode[static_cast<int>(nodes.indexOf(plan.processes.at(std::size_t(process)).node))] << process;
    NodeHistories histories;
    for (auto node = byNode.cbegin(); node != byNode.cend(); ++node)
        histories.push_back(std::make_unique<NodeHistory>(runDirectory, node.key(), plan, *node));
    return histories;
}

SampleCurveReader::SampleCurveReader(const QString &runDirectory, const LaunchPlan &plan,
                                     const QList<int> &processes)
    : m_processes(processes)
    , m_histories(nodeHistories(runDirectory, plan, processes))
{
}

bool SampleCurveReader::readOn()
{
    bool isMore = false;
    for (const auto &history : m_histories) {
        if (const auto piece = history->readOn()) {
            take(*history, *piece);
            isMore = true;
        }
    }
    return isMore;
}

void SampleCurveReader::take(const NodeHistory &history, const NodeHistory::Piece &piece)
{
    for (const int process : history.processes()) {
        auto &values = m_curves[process].values;
        for (std::size_t quantity = 0; piece.isAnew && quantity < values.size(); ++quantity) {
            if (isOfDevice(SampleQuantity(quantity)) == piece.isOfDevices)
                values[quantity] = ValueSeries();
        }
    }
    for (const NodeHistory::Value &value : piece.values)
        m_curves[value.process].values[std::size_t(value.quantity)].add(value.time, value.value);
}

SampleCurves SampleCurveReader::curves() const
{
    SampleCurves curves;
    for (const auto &history : m_histories) {
        curves.gap = std::max(curves.gap, gapFactor * history->usualDistance());
        curves.areInvented = curves.areInvented || history->areInvented();
    }
    curves.gap = std::max(curves.gap, leastGapMs);
    for (const int process : m_processes) {
        curves.curves << m_curves.value(process);
        curves.curves.last().process = process;
    }
    return curves;
}

} // namespace rankdeck
