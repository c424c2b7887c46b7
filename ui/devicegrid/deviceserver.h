#pragma once

#include "launch/launchplan.h"
#include "run/runstate.h"
#include "state/tone.h"

#include <QList>
#include <QString>

namespace rankdeck
{

/// A device of the grid, whatever becomes of its rank.
struct PlacedDevice {
    int process = -1; ///< Index in LaunchPlan::processes; -1: nothing of this run was started on the device.
    QString title;    ///< "rank 3  device 3".
    QString address;
};

/// A server of the rank table with its devices: a group of the grid.
struct DeviceServer {
    QString name;
    QList<PlacedDevice> devices;
};

/// Every server of the plan's rank table, also those that the plan starts nothing on, and after them the
/// processes that are on no device of the table. Without a rank table, every node of the plan with its
/// processes.
QList<DeviceServer> deviceServers(const LaunchPlan &plan);

/// How the ranks of a server do, by the one that does worst; worst first.
enum class ServerState {
    Failed,
    Lost,    ///< Nobody saw how they ended.
    Unknown, ///< Logs alone are known, and show no error.
    Stopping,
    Running,
    Waiting,
    Stopped, ///< Ended because they were told to.
    Succeeded,
    NotLaunched, ///< Nothing of this run was started there.
};

Tone toneOf(ServerState state);

/// What the heading of a server says.
struct ServerSummary {
    QString name; ///< May be empty: logs alone do not say where they are from.
    ServerState state = ServerState::NotLaunched;
    /// "1 failed, 7 stopped", worst first; before that "connection lost" and "1 NPU alarm" where that is so.
    QString counts;
    QString problem; ///< Why its NPUs are not read, in a sentence; empty: nothing that is known.

    /// All of it in one line.
    QString text() const;
    bool operator==(const ServerSummary &) const = default;
};

ServerSummary summaryOf(const DeviceServer &server, const RunState &state);

} // namespace rankdeck
