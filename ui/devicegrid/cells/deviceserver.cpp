#include "devicegrid/deviceserver.h"

#include "state/statewords.h"

#include <QCoreApplication>
#include <QHash>

#include <map>
#include <utility>

namespace rankdeck
{

namespace
{

struct DeviceGridText {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::DeviceGrid)
};

QString titleOf(const ProcessPlan &plan)
{
    if (plan.role == Role::Scheduler)
        return DeviceGridText::tr("scheduler");
    if (plan.device == ProcessPlan::noDevice)
        return DeviceGridText::tr("rank %1").arg(plan.rank.value);
    return DeviceGridText::tr("rank %1  device %2").arg(plan.rank.value).arg(plan.device.value);
}

PlacedDevice placed(const LaunchPlan &plan, int process)
{
    const ProcessPlan &its = plan.processes.at(size_t(process));
    return {process, titleOf(its), its.node};
}

/// Of a launch without a rank table.
QList<DeviceServer> serversByNode(const LaunchPlan &plan, const QList<int> &processes)
{
    QList<DeviceServer> servers;
    QHash<QString, int> serverOf;
    for (const int process : processes) {
        const QString &node = plan.processes.at(size_t(process)).node;
        const auto known = serverOf.constFind(node);
        const int server = known == serverOf.constEnd() ? int(servers.size()) : *known;
        if (server == servers.size()) {
            serverOf.insert(node, server);
            servers.append(DeviceServer{node, {}});
        }
        servers[server].devices.append(placed(plan, process));
    }
    return servers;
}

/// How one rank does, and the word for it.
std::pair<ServerState, QString> standing(const RankState &rank, bool runIsStopping)
{
    switch (rank.phase) {
    case RankPhase::Failed:
        return {ServerState::Failed, shownWord(rank.phase)};
    case RankPhase::Unknown:
        return {ServerState::Unknown, shownWord(rank.phase)};
    case RankPhase::Running:
        if (runIsStopping || rank.stopRequested)
            return {ServerState::Stopping, shownWord(RunPhase::Stopping)};
        if (rank.prompt)
            return {ServerState::Running, DeviceGridText::tr("at a prompt")};
        if (rank.hold != Hold::None)
            return {ServerState::Running, shownWord(rank.hold)};
        return {ServerState::Running, shownWord(rank.phase)};
    case RankPhase::Writing:
        return {ServerState::Running, shownWord(rank.phase)};
    case RankPhase::Waiting:
        return {ServerState::Waiting, shownWord(rank.phase)};
    case RankPhase::Ended:
        if (!rank.status)
            return {ServerState::Lost, shownWord(RunPhase::Lost)};
        return {ServerState::Stopped, shownWord(rank.phase)};
    case RankPhase::Stopped:
        return {ServerState::Stopped, shownWord(rank.phase)};
    case RankPhase::Exited:
        return {ServerState::Succeeded, shownWord(rank.phase)};
    }
    return {};
}

} // namespace

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
            PlacedDevice place{-1, DeviceGridText::tr("device %1").arg(device.deviceId.value),
                               device.deviceIp};
            if (device.rank) {
                place.title = DeviceGridText::tr("rank %1  device %2")
                                  .arg(device.rank->value)
                                  .arg(device.deviceId.value);
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
        servers.append(DeviceServer{DeviceGridText::tr("On no device"), {}});
        for (const int process : std::as_const(elsewhere))
            servers.last().devices.append(placed(plan, process));
    }
    return servers;
}

Tone toneOf(ServerState state)
{
    switch (state) {
    case ServerState::Failed:
        return Tone::Bad;
    case ServerState::Lost:
    case ServerState::Stopping:
        return Tone::Caution;
    case ServerState::Running:
        return Tone::Active;
    case ServerState::Succeeded:
        return Tone::Good;
    case ServerState::Unknown:
    case ServerState::Stopped:
        return Tone::Ended;
    case ServerState::Waiting:
    case ServerState::NotLaunched:
        return Tone::Idle;
    }
    return Tone::Idle;
}

QString ServerSummary::text() const
{
    const QString text = name.isEmpty() ? counts : name + QStringLiteral("  ") + counts;
    return problem.isEmpty() ? text : text + QStringLiteral("  ⚠ ") + problem;
}

ServerSummary summaryOf(const DeviceServer &server, const RunState &state)
{
    const bool isStopping = state.phase == RunPhase::Stopping;
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
        ++numbers[standing(index < state.ranks.size() ? state.ranks[index] : RankState(), isStopping)];
    }
    if (numbers.empty())
        return {server.name, ServerState::NotLaunched, DeviceGridText::tr("(not launched here)"), {}};
    QStringList parts;
    if (isUnreached)
        parts.append(DeviceGridText::tr("connection lost"));
    if (alarms > 0)
        parts.append(alarms == 1 ? DeviceGridText::tr("1 NPU alarm")
                                 : DeviceGridText::tr("%1 NPU alarms").arg(alarms));
    if (stalled > 0)
        parts.append((state.isAnyHeld() ? DeviceGridText::tr("%1 wait") : DeviceGridText::tr("%1 stalled"))
                         .arg(stalled));
    for (const auto &[how, number] : numbers)
        parts.append(DeviceGridText::tr("%1 %2", "number, state: 7 running").arg(number).arg(how.second));
    return {server.name, numbers.begin()->first.first, parts.join(QStringLiteral(", ")), {}};
}

} // namespace rankdeck
