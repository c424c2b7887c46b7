#pragma once

#include "devicegrid/deviceserver.h"

#include <QList>

namespace rankdeck
{

/// In which order a grid shows its servers, and which of them are folded. Servers are numbered as in the rank
/// table. A value: it draws nothing.
class ServerGroups
{
public:
    enum class Order {
        WorstFirst, ///< As in the rank table where two do equally well.
        Table,      ///< As in the rank table.
    };
    /// With more servers than this they start folded.
    static constexpr int manyServers = 8;
    /// Of these, so many are opened where something is wrong.
    static constexpr int mostOpened = 4;

    /// Other servers: nothing of the last ones is remembered but the order that is wanted.
    void reset(const QList<ServerState> &states);
    /// What has become of the servers, as many as before. Order and folding follow with settle().
    void setStates(const QList<ServerState> &states);
    /// Takes effect with settle().
    void setOrder(Order order) { m_order = order; }
    /// Bring order and folding up to date. Whether that changed anything.
    bool settle();

    int count() const { return int(m_servers.size()); }
    /// A single server has nothing to be told from.
    bool canFold() const { return count() > 1; }
    /// The servers from top to bottom.
    const QList<int> &shown() const { return m_shown; }
    bool isFolded(int server) const { return m_servers.at(server).folded; }
    /// From now on only the user folds or opens it.
    void setFolded(int server, bool folded);
    /// The same for all; folded ones where something goes wrong later are opened nevertheless.
    void setAllFolded(bool folded);

private:
    struct Group {
        ServerState state = ServerState::NotLaunched;
        bool folded = false;
        bool byUser = false; ///< Whether the user said so.
    };

    bool settleOrder();
    bool settleFolding();

    QList<Group> m_servers;
    QList<int> m_shown;
    Order m_order = Order::WorstFirst;
};

} // namespace rankdeck
