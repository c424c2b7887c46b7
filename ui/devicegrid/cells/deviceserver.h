#pragma once

#include "widgets/tone.h"

namespace rankdeck
{

struct LaunchPlan;
struct RunState;

/// A device of the grid.
struct PlacedDevice {
    int process = -1; ///< Index in LaunchPlan::processes; -1: this run started nothing on the device.
    QString title;    ///< "rank 3  device 3".
    QString address;
};

/// A server of the rank table with its devices: a group of the grid.
struct DeviceServer {
    QString name;
    QList<PlacedDevice> devices;
};

/// Returns every server of the plan's rank table, including unused ones, then the processes that are on no
/// device of the table. Without a rank table, every node of the plan with its processes.
QList<DeviceServer> deviceServers(const LaunchPlan &plan);

/// The state of a server: that of its worst rank. Ordered, worst first.
enum class ServerState {
    Failed,
    Lost,    ///< How they ended is unknown.
    Unknown, ///< Only logs are known, and show no error.
    Stopping,
    Running,
    Waiting,
    Stopped, ///< Ended on request.
    Succeeded,
    NotLaunched, ///< This run started nothing there.
};

Tone toneOf(ServerState state);

/// The content of a server's heading.
struct ServerSummary {
    QString name; ///< May be empty: logs do not say where they are from.
    ServerState state = ServerState::NotLaunched;
    /// "1 failed, 7 stopped", worst first; "connection lost" and "1 NPU alarm" come before.
    QString counts;
    QString problem; ///< Why its NPUs cannot be read, a sentence; empty if no reason is known.

    /// Returns all of the server's values in one line.
    QString text() const;
    bool operator==(const ServerSummary &) const = default;
};

ServerSummary summaryOf(const DeviceServer &server, const RunState &state);

/// The order of a grid's servers, and the folded ones. Servers are numbered as in the rank table.
class ServerGroups
{
public:
    enum class Order {
        WorstFirst, ///< Equal ones as in the rank table.
        Table,      ///< As in the rank table.
    };
    /// With more servers than this, all start folded.
    static constexpr int manyServers = 8;
    /// Number of folded servers that open by themselves when something is wrong.
    static constexpr int mostOpened = 4;

    /// Starts with other servers; keeps only the wanted order.
    void reset(const QList<ServerState> &states);
    /// Sets the states of the same servers. Order and folding follow with settle().
    void setStates(const QList<ServerState> &states);
    /// Takes effect with settle().
    void setOrder(Order order) { m_order = order; }
    /// Brings order and folding up to date. Returns whether that changed anything.
    bool settle()
    {
        const bool isMoved = settleOrder();
        return settleFolding() || isMoved;
    }

    int count() const { return int(m_servers.size()); }
    /// A single server cannot be folded.
    bool canFold() const { return count() > 1; }
    /// The servers from top to bottom.
    const QList<int> &shown() const { return m_shown; }
    bool isFolded(int server) const { return m_servers.at(server).folded; }
    /// Folds or opens a server for the user; it does not change by itself any more.
    void setFolded(int server, bool folded);
    /// Folds or opens all; folded ones still open by themselves when something goes wrong later.
    void setAllFolded(bool folded);

private:
    struct Group {
        ServerState state = ServerState::NotLaunched;
        bool folded = false;
        bool byUser = false; ///< The user folded or opened it.
    };

    bool settleOrder();
    bool settleFolding();

    QList<Group> m_servers;
    QList<int> m_shown;
    Order m_order = Order::WorstFirst;
};

} // namespace rankdeck
