#include "ranktable/changes/ranktablemerge.h"

#include "base/tr.h"
#include "ranktable/changes/ranktableconversion.h"
#include "ranktable/table/ranktable.h"

#include <QHash>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// Remembers which table named something first.
class FirstNamed
{
public:
    /// The table that named `thing` before, or nothing.
    std::optional<QString> add(const QString &thing, const QString &table)
    {
        const auto known = m_tables.constFind(thing);
        if (known != m_tables.constEnd())
            return *known;
        m_tables.insert(thing, table);
        return {};
    }

private:
    QHash<QString, QString> m_tables;
};

/// Published tables hide addresses behind "xx" or "*": these are all alike and say nothing.
bool isMasked(const QString &address)
{
    return std::any_of(address.begin(), address.end(), [](QChar character) {
        return !character.isDigit() && character != QLatin1Char('.') && character != QLatin1Char(':') &&
               (character.toLower() < QLatin1Char('a') || character.toLower() > QLatin1Char('f'));
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
        return Error{tr("the table names no device, so there is nothing to merge"), name,
                     tr("Leave it out, or wait until it is completed.")};
    const auto converted = convertToServerList(table);
    if (!converted)
        return Error{converted.error().what, name, converted.error().mend};
    return converted;
}

std::optional<Error> repeated(const Server &server, const QString &name, FirstNamed &serverIds,
                              FirstNamed &addresses)
{
    if (const auto other = serverIds.add(server.serverId, name))
        return Error{tr("server %1 is in %2 already").arg(server.serverId, *other), name,
                     tr("Merge tables of different servers.")};
    for (const Device &device : server.devices) {
        const QStringList ips = device.deviceIp.split(QLatin1Char(','), Qt::SkipEmptyParts);
        for (const QString &ip : ips) {
            const QString address = ip.trimmed();
            if (isMasked(address))
                continue;
            if (const auto other = addresses.add(address, name))
                return Error{
                    tr("device_ip %1 of server %2 is in %3 already").arg(address, server.serverId, *other),
                    name, tr("Every NPU has an address of its own: see hccn_tool -i N -ip -g.")};
        }
    }
    return {};
}

void numberRanks(RankTable &table)
{
    int nextRank = 0;
    for (Server &server : table.servers) {
        std::stable_sort(server.devices.begin(), server.devices.end(),
                         [](const Device &left, const Device &right) { return left.rank < right.rank; });
        for (Device &device : server.devices)
            device.rank = Rank(nextRank++);
    }
}

} // namespace

Result<MergedTable> mergeRankTables(const std::vector<RankTable> &tables, const QStringList &names,
                                    MergeOrder order)
{
    if (tables.size() < 2)
        return Error{tr("merging needs at least two rank tables"), {}, tr("Name one for each server.")};
    MergedTable merged;
    merged.order = order;
    merged.table.version = QStringLiteral("1.0");
    merged.table.status = QStringLiteral("completed");
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
    const auto byServerId = [](const Server &left, const Server &right) {
        return left.serverId < right.serverId;
    };
    auto &servers = merged.table.servers;
    merged.ordersDiffer = !std::is_sorted(servers.begin(), servers.end(), byServerId);
    if (order == MergeOrder::ServerId)
        std::stable_sort(servers.begin(), servers.end(), byServerId);
    numberRanks(merged.table);
    return merged;
}

QString mergedFileName(const RankTable &table)
{
    return QStringLiteral("hccl_%1s_%2p.json").arg(table.servers.size()).arg(table.deviceCount());
}

} // namespace rankdeck
