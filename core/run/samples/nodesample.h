#pragma once

#include "device/devicesource.h"
#include "device/processjoin.h"
#include "result.h"
#include "run/processload.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QMap>
#include <QMetaType>
#include <QString>

#include <optional>

namespace rankdeck
{

/// What one node of a run looks like at one moment: its NPUs, and what the process trees of its ranks use.
/// Made by the node's agent while somebody wants that, and passed through the supervisor to its clients.
/// Processes are meant by their index in LaunchPlan::processes (from an agent: in the node's share).
struct NodeSample {
    QString node;   ///< ProcessPlan::node.
    QDateTime time; ///< UTC; an agent says it by the clock of its node, a supervisor by its own.
    /// The newest reading of the NPUs; nothing: there is none yet, or the node has no NPUs. Its own time says
    /// when it was made: several samples may bring the same one.
    std::optional<DeviceReading> devices;
    /// Who uses each of devices->samples, parallel to them, or empty. Its owner is an index of a process. A
    /// process of which cannot be told whether it is one of the run's is absent, as in a container whose
    /// npu-smi has the host's pids alone.
    QList<QList<DeviceUser>> users;
    /// The chip of a process: index in devices->samples. A process that has none is absent.
    QMap<int, int> chips;
    /// Why there is no newer reading of NPUs that are there; nothing while there is, or where there are none.
    std::optional<Error> problem;
    /// There are NPUs, and they have not answered for the first time yet.
    bool isAwaitingDevices = false;
    /// What the trees of processes that run use.
    QMap<int, TreeLoad> loads;

    /// Bytes: what is longer is no sample. A node with 1,024 processes and as many NPUs as any has takes a
    /// tenth of that.
    static constexpr qsizetype longestLine = 1024 * 1024;

    /// One JSON line without the newline: {"node_sample": …}.
    QByteArray toLine() const;
    /// Nothing for a line that is none or is too long. Indices that lead nowhere are absent; whether the
    /// processes exist is not known here.
    static std::optional<NodeSample> fromLine(const QByteArray &line);
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::NodeSample)
