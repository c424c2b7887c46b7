#pragma once

#include "device/sampling/devicesource.h"
#include "run/process/processload.h"
#include "run/samples/entrylog.h"

#include <QMap>

namespace rankdeck
{

/// A sample of one node of a run at one moment: its NPUs, and the load of its ranks' process trees. Made by
/// the node's agent while a client wants samples, and passed through the supervisor to its clients. Processes
/// have their index in LaunchPlan::processes (from an agent: in the node's share).
struct NodeSample {
    QString node;   ///< ProcessPlan::node.
    QDateTime time; ///< UTC; from an agent by the clock of its node, from a supervisor by its own.
    /// The newest reading of the NPUs, with its own time: samples may repeat it. Nothing: none, or no NPUs.
    std::optional<DeviceReading> devices;
    /// The users of each of devices->samples, parallel to them, or empty. An owner is a process index.
    /// Processes that may be the run's are left out, as in a container whose npu-smi only has the host's
    /// pids.
    QList<QList<DeviceUser>> users;
    QMap<int, int> chips; ///< The chip of each process that has one: index in devices->samples.
    /// The error that prevented another reading of the NPUs; nothing without an error or without NPUs.
    std::optional<Error> problem;
    bool isAwaitingDevices = false;        ///< There are NPUs, but no answer from them yet.
    QMap<int, TreeLoad> loads;             ///< The loads of running processes with everything below them.
    QMap<int, LiveCollective> collectives; ///< The last collective of each process that reports it.

    /// Bytes; a longer line is not a sample. 1,024 processes and the most NPUs take a tenth of that.
    static constexpr qsizetype longestLine = 1024 * 1024;

    /// One JSON line without the newline: {"node_sample": …}.
    QByteArray toLine() const;
    /// Nothing for another or too long line. Leaves invalid indexes out, but processes may not exist.
    static std::optional<NodeSample> fromLine(const QByteArray &line);
};

} // namespace rankdeck
