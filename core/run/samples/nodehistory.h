#pragma once

#include "device/devicehistory.h"
#include "launch/launchplan.h"
#include "run/samples/historytail.h"
#include "run/samples/samplecurves.h"

#include <QList>
#include <QMap>
#include <QStringList>

#include <array>
#include <optional>

namespace rankdeck
{

/// The chip that a process worked with, among a history's set of chips: what was recorded of that; where
/// nothing was, the one that it was planned for, by its logical id, or its place where ids are not said.
/// Nothing: it had none, as far as that is known.
std::optional<qsizetype> chipOf(int process, const ProcessPlan &plan, const DeviceHistory &history,
                                qsizetype chips);

/// Reads the history of a node as it grows, for some of its processes. Blocks for a read.
class NodeHistory
{
public:
    struct Value {
        int process = 0; ///< By index in LaunchPlan::processes.
        qint64 time = 0; ///< ms since 1970.
        SampleQuantity quantity = SampleQuantity::AiCore;
        double value = 0;
    };
    struct Piece {
        QList<Value> values;
        bool isOfDevices = false; ///< Else of process trees: isOfDevice() says of which quantities.
        bool isAnew = false;      ///< What was told of these quantities before is no more.
    };

    /// @param node its place in sampledNodes(). @param processes those that are told of.
    NodeHistory(const QString &runDirectory, int node, const LaunchPlan &plan, const QList<int> &processes);

    /// What has come; nothing: no more for now.
    std::optional<Piece> readOn();
    /// How far moments are apart, more or less, ms; 0: there are too few.
    qint64 usualDistance() const;
    QList<int> processes() const { return m_processes.keys(); }

private:
    QList<Value> deviceValues(const HistoryTail::Piece &piece);
    QList<Value> loadValues(const HistoryTail::Piece &piece);
    void count(qint64 time, qint64 &last);

    QMap<int, ProcessPlan> m_processes;
    HistoryTail m_devices;
    HistoryTail m_loads;
    qint64 m_lastOfDevices = -1; ///< Their last moment's time; -1: there was none.
    qint64 m_lastOfLoads = -1;
    std::array<int, 64> m_distances{}; ///< How many are 2^index ms and more.
};

} // namespace rankdeck
