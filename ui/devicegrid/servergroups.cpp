#include "devicegrid/servergroups.h"

#include <algorithm>
#include <numeric>

namespace rankdeck
{

namespace
{

/// Servers that only wait for their processes stand where they will when these run: a launch moves nothing.
int severity(ServerState state)
{
    return int(state == ServerState::Waiting ? ServerState::Running : state);
}

bool isWrong(ServerState state)
{
    return state == ServerState::Failed || state == ServerState::Lost;
}

} // namespace

void ServerGroups::reset(const QList<ServerState> &states)
{
    Group start;
    start.folded = states.size() > manyServers;
    m_servers.fill(start, states.size());
    setStates(states);
    settle();
}

void ServerGroups::setStates(const QList<ServerState> &states)
{
    for (int server = 0; server < std::min(count(), int(states.size())); ++server)
        m_servers[server].state = states.at(server);
}

bool ServerGroups::settle()
{
    const bool isMoved = settleOrder();
    return settleFolding() || isMoved;
}

bool ServerGroups::settleOrder()
{
    QList<int> order(count());
    std::iota(order.begin(), order.end(), 0);
    if (m_order == Order::WorstFirst) {
        std::stable_sort(order.begin(), order.end(), [this](int one, int other) {
            return severity(m_servers.at(one).state) < severity(m_servers.at(other).state);
        });
    }
    if (order == m_shown)
        return false;
    m_shown = order;
    return true;
}

bool ServerGroups::settleFolding()
{
    if (count() <= manyServers)
        return false;
    bool isChanged = false;
    const auto fold = [&isChanged](Group &group, bool folded) {
        isChanged = isChanged || group.folded != folded;
        group.folded = folded;
    };
    int opened = 0;
    for (Group &group : m_servers) {
        if (!group.byUser && !isWrong(group.state))
            fold(group, true);
        else if (!group.byUser && !group.folded)
            ++opened;
    }
    for (const int server : std::as_const(m_shown)) {
        Group &group = m_servers[server];
        if (group.byUser || !group.folded || !isWrong(group.state) || opened == mostOpened)
            continue;
        fold(group, false);
        ++opened;
    }
    return isChanged;
}

void ServerGroups::setFolded(int server, bool folded)
{
    m_servers[server].folded = folded;
    m_servers[server].byUser = true;
}

void ServerGroups::setAllFolded(bool folded)
{
    for (Group &group : m_servers) {
        group.folded = folded;
        // Where something goes wrong later is still opened.
        group.byUser = !folded || isWrong(group.state);
    }
}

} // namespace rankdeck
