#include "ranktable/changes/ranktablemerge.h"

#include "ranktable/changes/ranktableconversion.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// The table that named a thing first, by the thing.
using FirstNamed = QHash<QString, QString>;

/// Returns the table that named `thing` before, or nothing.
std::optional<QString> namedBefore(FirstNamed &tables, const QString &thing, const QString &table)
{
    const auto known = tables.constFind(thing);
    if (known != tables.cend())
        return *known;
    tables.insert(thing, table);
    return {};
}

/// Published tables hide addresses behind "xx" or "*": these are all alike and say nothing.
bool isMasked(const QString &address)
{
    return std::ranges::any_of(address, [](QChar character) {
        return !character.isDigit() && character != '.'_L1 && character != ':'_L1 &&
               (character.toLower() < 'a'_L1 || character.toLower() > 'f'_L1);
    });
}

/// The servers of a table that may be merged, with ranks.
Result<RankTable> mergeable(const RankTable &table, const QString &name)
{
    const bool canMerge = table.form == RankTableForm::ServerList || table.form == RankTableForm::GroupList ||
                          table.form == RankTableForm::LabGroupList;
    if (!canMerge)
        return Error{tr("%1 cannot be merged").arg(formName(table.form)), name,
                     tr("Merge tables of version 1.0 or template 2.")};
    if (table.deviceCount() == 0)
        return Error{tr("the table lists no device, so there is nothing to merge"), name,
                     tr("Leave it out, or wait until it is complete.")};
    const auto converted = convertToServerList(table);
    if (!converted)
        return Error{converted.error().what, name, converted.error().mend};
    return converted;
}

std::optional<Error> repeated(const Server &server, const QString &name, FirstNamed &serverIds,
                              FirstNamed &addresses)
{
    if (const auto other = namedBefore(serverIds, server.serverId, name))
        return Error{tr("server %1 is already in %2").arg(server.serverId, *other), name,
                     tr("Merge tables of different servers.")};
    for (const Device &device : server.devices) {
        const QStringList ips = device.deviceIp.split(','_L1, Qt::SkipEmptyParts);
        for (const QString &ip : ips) {
            const QString address = ip.trimmed();
            if (isMasked(address))
                continue;
            if (const auto other = namedBefore(addresses, address, name))
                return Error{
                    tr("device_ip %1 of server %2 is already in %3").arg(address, server.serverId, *other),
                    name, tr("Every NPU needs its own address: see hccn_tool -i N -ip -g.")};
        }
    }
    return {};
}

void numberRanks(RankTable &table)
{
    int nextRank = 0;
    for (Server &server : table.servers) {
        std::ranges::stable_sort(server.devices, {}, &Device::rank);
        for (Device &device : server.devices)
            device.rank = Rank(nextRank++);
    }
}

/// Version 2.0 numbers its devices up to 64; no other form goes higher.
constexpr int highestDeviceId = 64;

Error badDeviceList(const QString &text, const QString &what)
{
    return {what, text, tr("Write it as 0-3,6 or [0,8) or 0,2,4.")};
}

/// One part of a device list, such as "6" or "0-3" or "[0,8)": first and last id.
std::optional<std::pair<int, int>> idRange(const QString &part)
{
    static const QRegularExpression range(u"^(\\d{1,3})(?:\\s*-\\s*(\\d{1,3}))?$"_s);
    const auto match = range.match(part);
    if (!match.hasMatch())
        return {};
    const int first = match.captured(1).toInt();
    return std::pair(first, match.hasCaptured(2) ? match.captured(2).toInt() : first);
}

/// The text between the brackets of "[0,8)" as first and last id.
std::optional<std::pair<int, int>> bracketRange(const QString &text)
{
    static const QRegularExpression bracket(u"^\\[\\s*(\\d{1,3})\\s*,\\s*(\\d{1,3})\\s*\\)$"_s);
    const auto match = bracket.match(text);
    if (!match.hasMatch())
        return {};
    return std::pair(match.captured(1).toInt(), match.captured(2).toInt() - 1);
}

/// Whether every server that is asked for is there, and has every device that is asked for.
std::optional<Error> missing(const RankTable &table, const std::vector<DeviceId> &devices,
                             const QStringList &servers)
{
    QHash<QString, QSet<DeviceId>> devicesOf;
    QStringList all;
    for (const Server &server : table.servers) {
        if (!devicesOf.contains(server.serverId))
            all << server.serverId;
        QSet<DeviceId> &known = devicesOf[server.serverId];
        for (const Device &device : server.devices)
            known.insert(device.deviceId);
    }
    for (const QString &serverId : servers) {
        if (!devicesOf.contains(serverId))
            return Error{tr("server %1 is not in the table").arg(serverId),
                         {},
                         tr("Write the server as its server_id in the table.")};
    }
    for (const QString &serverId : servers.isEmpty() ? all : servers) {
        for (const DeviceId device : devices) {
            if (!devicesOf[serverId].contains(device))
                return Error{tr("server %1 has no device %2").arg(serverId).arg(device.value),
                             {},
                             tr("Choose among the devices that every selected server has.")};
        }
    }
    return {};
}

/// Number the ranks from 0 in their old order; in a table of several jobs, each job's.
void numberRanksByJob(RankTable &table)
{
    std::vector<std::pair<int, Device *>> ranked;
    for (Server &server : table.servers) {
        const int job = table.form == RankTableForm::ServerGroupList ? server.group : 0;
        for (Device &device : server.devices) {
            if (device.rank)
                ranked.emplace_back(job, &device);
        }
    }
    std::ranges::stable_sort(ranked, {}, [](const auto &each) { return each.second->rank; });
    QHash<int, int> nextRank; // By job.
    for (const auto &[job, device] : ranked)
        device->rank = Rank(nextRank[job]++);
}

/// Drops super pods and groups that have lost all their devices.
void dropEmptied(RankTable &table, const RankTable &before)
{
    QSet<std::pair<int, QString>> left;
    QSet<int> groupsLeft;
    for (const Server &server : table.servers) {
        left.insert({server.group, server.serverId});
        groupsLeft.insert(server.group);
    }
    for (SuperPod &pod : table.superPods)
        std::erase_if(pod.serverIds, [&](const QString &serverId) {
            return !left.contains({pod.group, serverId});
        });
    std::erase_if(table.superPods, [](const SuperPod &pod) { return pod.serverIds.empty(); });

    QHash<int, int> newIndex;
    std::vector<Group> groups;
    for (int index = 0; index < static_cast<int>(before.groups.size()); ++index) {
        if (!groupsLeft.contains(index))
            continue;
        newIndex.insert(index, static_cast<int>(groups.size()));
        groups.push_back(before.groups[static_cast<std::size_t>(index)]);
    }
    for (Server &server : table.servers)
        server.group = newIndex.value(server.group, server.group);
    for (SuperPod &pod : table.superPods)
        pod.group = newIndex.value(pod.group, pod.group);
    table.groups = std::move(groups);
}

} // namespace

Result<MergedTable> mergeRankTables(const std::vector<RankTable> &tables, const QStringList &names,
                                    MergeOrder order)
{
    if (tables.size() < 2)
        return Error{tr("merging needs at least two rank tables"), {}, tr("Name one for each server.")};
    MergedTable merged;
    merged.order = order;
    merged.table.version = u"1.0"_s;
    merged.table.status = u"completed"_s;
    FirstNamed serverIds;
    FirstNamed addresses;
    for (std::size_t index = 0; index < tables.size(); ++index) {
        const QString name = names.value(static_cast<qsizetype>(index));
        const auto table = mergeable(tables[index], name);
        if (!table)
            return table.error();
        merged.table.otherKeys = mergedOtherKeys(merged.table.otherKeys, table->otherKeys);
        for (const Server &server : table->servers) {
            if (const auto error = repeated(server, name, serverIds, addresses))
                return *error;
            merged.table.servers.push_back(server);
        }
    }
    auto &servers = merged.table.servers;
    merged.ordersDiffer = !std::ranges::is_sorted(servers, {}, &Server::serverId);
    if (order == MergeOrder::ServerId)
        std::ranges::stable_sort(servers, {}, &Server::serverId);
    numberRanks(merged.table);
    return merged;
}

QString mergedFileName(const RankTable &table)
{
    return u"hccl_%1s_%2p.json"_s.arg(table.servers.size()).arg(table.deviceCount());
}

Result<std::vector<DeviceId>> parseDeviceList(const QString &text)
{
    std::vector<std::pair<int, int>> ranges;
    const QString list = text.trimmed();
    if (const auto range = bracketRange(list)) {
        ranges.push_back(*range);
    } else {
        const QStringList parts = list.split(','_L1);
        for (const QString &part : parts) {
            const auto found = idRange(part.trimmed());
            if (!found)
                return badDeviceList(text, tr("not a list of devices"));
            ranges.push_back(*found);
        }
    }
    std::vector<DeviceId> devices;
    for (const auto &[first, last] : ranges) {
        if (first > last)
            return badDeviceList(text, tr("a range of devices ends before it begins"));
        if (last > highestDeviceId)
            return badDeviceList(text, tr("device ids end at %1").arg(highestDeviceId));
        for (int id = first; id <= last; ++id)
            devices.emplace_back(id);
    }
    return sortedOnce(devices);
}

Result<RankTable> subsetOfRankTable(const RankTable &table, const std::vector<DeviceId> &devices,
                                    const QStringList &servers)
{
    const QSet<DeviceId> wantedDevices(devices.begin(), devices.end());
    const QSet<QString> wantedServers(servers.begin(), servers.end());
    if (const auto error = missing(table, devices, servers))
        return *error;
    RankTable subset = table;
    std::erase_if(subset.servers, [&](const Server &server) {
        return !wantedServers.isEmpty() && !wantedServers.contains(server.serverId);
    });
    for (Server &server : subset.servers)
        std::erase_if(server.devices, [&](const Device &device) {
            return !wantedDevices.isEmpty() && !wantedDevices.contains(device.deviceId);
        });
    std::erase_if(subset.servers, [](const Server &server) { return server.devices.empty(); });
    numberRanksByJob(subset);
    dropEmptied(subset, table);
    return subset;
}

} // namespace rankdeck
