#include "devicegrid/cells/deviceserver.h"

#include "base/listcomma.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "widgets/statelook.h"

#include <QHash>

#include <map>
#include <numeric>

namespace rankdeck
{

static PlacedDevice placed(const LaunchPlan &plan, int process)
{
    const ProcessPlan &its = plan.processes.at(size_t(process));
    const QString title = its.role != Role::Worker || its.device == ProcessPlan::noDevice || its.isRankOpen
                              ? processName(its)
                              : tr("rank %1  device %2").arg(its.rank.value).arg(its.device.value);
    return {process, title, its.node};
}

/// Servers of a launch without a rank table.
static QList<DeviceServer> serversByNode(const LaunchPlan &plan, const QList<int> &processes)
{
    QList<DeviceServer> servers;
    QHash<QString, int> serverOf;
    for (const int process : processes) {
        const QString &node = plan.processes.at(size_t(process)).node;
        const int server = serverOf.value(node, int(servers.size()));
        if (server == servers.size()) {
            serverOf.insert(node, server);
            servers.append(DeviceServer{node, {}});
        }
        servers[server].devices.append(placed(plan, process));
    }
    return servers;
}

/// Returns the state of a rank, and the word for it.
static std::pair<ServerState, QString> standing(const RankState &rank, const RunState &run)
{
    const RankPhase phase = run.shownPhase(rank);
    if (phase == RankPhase::Running) {
        if (run.phase == RunPhase::Stopping || rank.stopRequested)
            return {ServerState::Stopping, shownWord(RunPhase::Stopping)};
        if (rank.prompt)
            return {ServerState::Running, tr("at a prompt")};
        if (rank.hold != Hold::None)
            return {ServerState::Running, shownWord(rank.hold)};
    }
    // By RankPhase.
    static constexpr std::array states{ServerState::Waiting, ServerState::Running, ServerState::Succeeded,
                                       ServerState::Failed,  ServerState::Lost,    ServerState::Stopped,
                                       ServerState::Unknown, ServerState::Running};
    static_assert(states.size() == std::size_t(RankPhase::Writing) + 1);
    return {states.at(std::size_t(phase)), shownWord(phase)};
}

static bool isWrong(ServerState state)
{
    return state == ServerState::Failed || state == ServerState::Lost;
}

QList<DeviceServer> deviceServers(const LaunchPlan &plan)
{
    std::map<int, int> processOfRank;
    QList<int> elsewhere;
    for (int process = 0; process < int(plan.processes.size()); ++process) {
        const ProcessPlan &each = plan.processes.at(size_t(process));
        if (each.role != Role::Worker || !processOfRank.emplace(each.rank.value, process).second)
            elsewhere.append(process);
    }

    QList<DeviceServer> servers;
    for (const Server &server : plan.rankTable.servers) {
        DeviceServer shown{server.serverId, {}};
        for (const Device &device : server.devices) {
            PlacedDevice place{-1, tr("device %1").arg(device.deviceId.value), device.deviceIp};
            if (device.rank) {
                place.title = tr("rank %1  device %2").arg(device.rank->value).arg(device.deviceId.value);
                if (const auto found = processOfRank.find(device.rank->value); found != processOfRank.end()) {
                    place.process = found->second;
                    processOfRank.erase(found);
                }
            }
            shown.devices.append(place);
        }
        servers.append(shown);
    }

    for (const auto &[rank, process] : processOfRank)
        elsewhere.append(process);
    if (servers.isEmpty())
        return serversByNode(plan, elsewhere);
    if (!elsewhere.isEmpty()) {
        servers.append(DeviceServer{tr("No device"), {}});
        for (const int process : std::as_const(elsewhere))
            servers.last().devices.append(placed(plan, process));
    }
    return servers;
}

Tone toneOf(ServerState state)
{
    static constexpr std::array tones{Tone::Bad,  Tone::Caution, Tone::Ended, Tone::Caution, Tone::Active,
                                      Tone::Idle, Tone::Ended,   Tone::Good,  Tone::Idle};
    static_assert(tones.size() == std::size_t(ServerState::NotLaunched) + 1);
    return tones.at(std::size_t(state));
}

QString ServerSummary::text() const
{
    const QString text = name.isEmpty() ? counts : name + u"  "_s + counts;
    return problem.isEmpty() ? text : text + u"  ⚠ "_s + problem;
}

ServerSummary summaryOf(const DeviceServer &server, const RunState &state)
{
    std::map<std::pair<ServerState, QString>, int> numbers;
    bool isUnreached = false;
    int stalled = 0;
    int alarms = 0;
    for (const PlacedDevice &device : server.devices) {
        if (device.process < 0)
            continue;
        const auto index = size_t(device.process);
        alarms += state.deviceAlarm(device.process).isEmpty() ? 0 : 1;
        stalled += state.silentSince(device.process).isValid() ? 1 : 0;
        isUnreached = isUnreached || state.unreached.contains(state.plan->processes.at(index).node);
        ++numbers[standing(index < state.ranks.size() ? state.ranks[index] : RankState(), state)];
    }
    if (numbers.empty())
        return {server.name, ServerState::NotLaunched, tr("(not part of this launch)"), {}};
    QStringList parts;
    if (isUnreached)
        parts.append(tr("connection lost"));
    if (alarms > 0)
        parts.append(tr("%n NPU alarms", "%n NPU alarm", alarms));
    if (stalled > 0)
        parts.append((state.isAnyHeld() ? tr("%1 waiting") : tr("%1 stalled")).arg(stalled));
    for (const auto &[how, number] : numbers)
        parts.append(tr("%1 %2", "number, state: 7 running").arg(number).arg(how.second));
    return {server.name, numbers.begin()->first.first, parts.join(listComma()), {}};
}

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

bool ServerGroups::settleOrder()
{
    QList<int> order(count());
    std::iota(order.begin(), order.end(), 0);
    if (m_order == Order::WorstFirst) {
        std::ranges::stable_sort(order, {}, [this](int at) {
            // Waiting servers stand where running ones do, so that a launch moves nothing.
            const ServerState state = m_servers.at(at).state;
            return int(state == ServerState::Waiting ? ServerState::Running : state);
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
        // Servers where something goes wrong later still open.
        group.byUser = !folded || isWrong(group.state);
    }
}

} // namespace rankdeck
