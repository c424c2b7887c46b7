#include "ranktable/changes/ranktableconversion.h"

#include <QSet>

#include <algorithm>

namespace rankdeck
{

/// Keys that only template 2 has.
const QByteArrayList templateTwoKeys{"deploy_mode",         "board_id",
                                     "chip_info",           "para_plane_nic_location",
                                     "para_plane_nic_name", "para_plane_nic_num"};

/// One server for each server_id, in the order in which they are first named.
static std::vector<Server> groupedByServer(const std::vector<Server> &instances)
{
    std::vector<Server> servers;
    QHash<QString, std::size_t> places;
    for (const Server &instance : instances) {
        const auto place = places.constFind(instance.serverId);
        if (place == places.constEnd()) {
            places.insert(instance.serverId, servers.size());
            servers.push_back({instance.serverId, {}, 0, instance.devices, instance.otherKeys});
            continue;
        }
        Server &server = servers[*place];
        server.devices.insert(server.devices.end(), instance.devices.begin(), instance.devices.end());
        server.otherKeys = mergedOtherKeys(server.otherKeys, instance.otherKeys);
    }
    return servers;
}

static RankTable emptyServerList(const RankTable &source)
{
    RankTable table;
    table.version = u"1.0"_s;
    table.status = u"completed"_s;
    table.otherKeys = otherKeysWithout(source.otherKeys, templateTwoKeys);
    return table;
}

static Result<RankTable> convertCloud(const RankTable &table)
{
    auto ordered = orderInstances(table);
    if (!ordered)
        return ordered.error();
    int nextRank = 0;
    for (Server &instance : ordered->servers) {
        for (Device &device : instance.devices)
            device.rank = Rank(nextRank++);
    }
    RankTable converted = emptyServerList(table);
    converted.servers = groupedByServer(ordered->servers);
    return converted;
}

static Result<RankTable> convertLab(const RankTable &table)
{
    RankTable converted = emptyServerList(table);
    converted.servers = groupedByServer(table.servers);
    for (Server &server : converted.servers) {
        for (const Device &device : server.devices) {
            if (!device.rank)
                return Error{tr("device %1 of server %2 has no rank_id of its own")
                                 .arg(device.deviceId.value)
                                 .arg(server.serverId),
                             {},
                             tr("Make each device of a lab table an instance with one rank_id.")};
        }
        std::ranges::stable_sort(server.devices, {}, &Device::rank);
    }
    std::erase_if(converted.servers, [](const Server &server) { return server.devices.empty(); });
    std::ranges::stable_sort(converted.servers, {},
                             [](const Server &server) { return server.devices.front().rank; });
    return converted;
}

/// Give the device its super_device_id: its own, or the one in `ids`.
static std::optional<Error> addSuperDeviceId(Device &device, const QString &serverId, const SuperPodIds &ids)
{
    static const QByteArray key("super_device_id");
    if (device.superDeviceId.isEmpty()) {
        device.superDeviceId = otherText(device.otherKeys, key);
        if (!device.superDeviceId.isEmpty())
            device.otherKeys = otherKeysWithout(device.otherKeys, {key});
    }
    if (device.superDeviceId.isEmpty())
        device.superDeviceId = ids.superDeviceIds.value({serverId, device.deviceId.value});
    if (!device.superDeviceId.isEmpty())
        return {};
    return Error{tr("device %1 of server %2 has no super_device_id").arg(device.deviceId.value).arg(serverId),
                 {},
                 tr("Give one for each device; npu-smi info -t spod-info shows it.")};
}

/// Whether each server of the table is in exactly one super pod.
static std::optional<Error> misplacedServer(const RankTable &table, const SuperPodIds &ids)
{
    QSet<QString> known;
    for (const Server &server : table.servers) {
        if (known.contains(server.serverId))
            return Error{tr("the table has two servers \"%1\"").arg(server.serverId),
                         {},
                         tr("List all devices of a server under one server_id.")};
        known.insert(server.serverId);
    }
    QSet<QString> podIds;
    QHash<QString, QString> podOf;
    for (const auto &[podId, members] : ids.superPods) {
        if (podId.isEmpty() || podIds.contains(podId))
            return Error{podId.isEmpty() ? tr("a super pod without an id")
                                         : tr("super pod \"%1\" is given twice").arg(podId),
                         {},
                         tr("Give each super pod once, with all its servers.")};
        podIds.insert(podId);
        for (const QString &serverId : members) {
            if (!known.contains(serverId))
                return Error{
                    tr("super pod \"%1\" names server %2, which is not in the table").arg(podId, serverId),
                    {},
                    tr("Write the server as its server_id in the table.")};
            if (podOf.contains(serverId))
                return Error{tr("server %1 belongs to two super pods, \"%2\" and \"%3\"")
                                 .arg(serverId, podOf.value(serverId), podId),
                             {},
                             tr("Keep it in one of them.")};
            podOf.insert(serverId, podId);
        }
    }
    for (const Server &server : table.servers) {
        if (!podOf.contains(server.serverId))
            return Error{tr("server %1 belongs to no super pod").arg(server.serverId),
                         {},
                         tr("Name the super pod of every server.")};
    }
    return {};
}

Result<RankTable> orderInstances(const RankTable &table)
{
    RankTable ordered = table;
    const auto firstGroupEnd =
        std::ranges::find_if(ordered.servers, [](const Server &server) { return server.group != 0; });
    const bool orderMatters = std::distance(ordered.servers.begin(), firstGroupEnd) > 1;
    if (table.form != RankTableForm::GroupList || !orderMatters)
        return ordered;

    const auto unnumbered = std::find_if(ordered.servers.begin(), firstGroupEnd, [](const Server &server) {
        return !podNumber(server.podName).has_value();
    });
    if (unnumbered != firstGroupEnd)
        return Error{
            tr("pod_name \"%1\" does not end in '-' and a number, so the order of instances is unknown")
                .arg(unnumbered->podName),
            {},
            tr("Name the instances as the platform does, e.g. job-0 and job-1.")};
    std::ranges::stable_sort(ordered.servers.begin(), firstGroupEnd, {},
                             [](const Server &server) { return podNumber(server.podName); });
    return ordered;
}

Result<RankTable> convertToServerList(const RankTable &table)
{
    if (table.form == RankTableForm::GroupList)
        return convertCloud(table);
    if (table.form == RankTableForm::LabGroupList)
        return convertLab(table);
    return table;
}

Result<RankTable> convertToSuperPodList(const RankTable &table, const SuperPodIds &ids)
{
    auto converted = convertToServerList(table);
    if (!converted)
        return converted;
    if (!converted->superPods.empty())
        return Error{tr("the table already lists its super pods"), {}, {}};
    if (converted->form != RankTableForm::ServerList && converted->form != RankTableForm::SuperPodList)
        return Error{tr("%1 cannot be converted to version 1.2").arg(formName(converted->form)),
                     {},
                     tr("Give a table of version 1.0 or template 2.")};
    if (const auto error = misplacedServer(*converted, ids))
        return *error;
    QHash<QString, const Server *> servers;
    for (Server &server : converted->servers) {
        for (Device &device : server.devices) {
            if (const auto error = addSuperDeviceId(device, server.serverId, ids))
                return *error;
        }
        servers.insert(server.serverId, &server);
    }
    std::vector<Server> ordered;
    for (const auto &[podId, members] : ids.superPods) {
        for (const QString &serverId : members)
            ordered.push_back(*servers.value(serverId));
        converted->superPods.push_back({podId, members});
    }
    converted->servers = std::move(ordered);
    converted->form = RankTableForm::SuperPodList;
    converted->version = u"1.2"_s;
    return converted;
}

} // namespace rankdeck
