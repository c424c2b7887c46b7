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

/// The nodes of a plan's processes in the order in which they first appear there: files of samples are
/// numbered so.
QStringList sampledNodes(const LaunchPlan &plan);
/// Where the history of a node's NPUs is. @param node its place in sampledNodes().
QString deviceHistoryFile(const QString &runDirectory, int node);

/// The chip among a node's that a process works with: the one with its logical id, and where ids are not said
/// the one in that place. Nothing: the launcher gives it none, or there is no such chip.
std::optional<qsizetype> chipOf(const ProcessPlan &process, const QList<DeviceSample> &chips);

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

    /// @param node as in deviceHistoryFile(). @param processes those that are told of.
    NodeHistory(const QString &runDirectory, int node, const LaunchPlan &plan, const QList<int> &processes);

    /// What has come; nothing: no more for now.
    std::optional<Piece> readOn();
    /// How far moments are apart, more or less, ms; 0: there are too few.
    qint64 usualDistance() const;
    QList<int> processes() const { return m_processes.keys(); }

private:
    QList<Value> deviceValues(const HistoryTail::Piece &piece);
    void count(qint64 time);

    QMap<int, ProcessPlan> m_processes;
    HistoryTail m_devices;
    qint64 m_lastTime = -1;
    std::array<int, 64> m_distances{}; ///< How many are 2^index ms and more.
};

} // namespace rankdeck
