#include "ranktable/rules/rulewords.h"
#include "ranktable/rules/tablerules.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <optional>

namespace rankdeck
{

namespace
{

bool isTemplate2(RankTableForm form)
{
    return form == RankTableForm::GroupList || form == RankTableForm::LabGroupList;
}

JsonValue idPlace(const ReadTable &read, std::size_t index)
{
    const JsonValue server = read.servers[index].server;
    const JsonValue id = server[read.table.form == RankTableForm::NodeList ? "node_addr" : "server_id"];
    return id.exists() ? id : server;
}

void checkServerId(const ReadTable &read, std::size_t index, FindingCollector &findings)
{
    constexpr qsizetype documentedLength = 64;
    const QString &id = read.table.servers[index].serverId;
    const JsonValue place = idPlace(read, index);
    if (!place.isString())
        return; // Said by the shape.
    if (id.isEmpty()) {
        findings.add(rules::emptyServerId, place, ruleWords("The server's id is empty."),
                     ruleWords("Write the host's address."));
        return;
    }
    if (id.size() > documentedLength)
        findings.add(rules::longServerId, place,
                     ruleWords("The server's id is %1 characters long; at most %2 are allowed.")
                         .arg(id.size())
                         .arg(documentedLength),
                     ruleWords("Use the host's address."));
    switch (addressKindOf(id)) {
    case AddressKind::IPv4:
    case AddressKind::IPv6:
        break;
    case AddressKind::Masked:
        findings.add(rules::maskedServerId, place, ruleWords("\"%1\" is a mask, not an address.").arg(id),
                     ruleWords("Write the host's address."));
        break;
    case AddressKind::None:
        if (read.table.form == RankTableForm::NodeList)
            findings.add(rules::nodeAddress, place, ruleWords("\"%1\" is not an IP address.").arg(id),
                         ruleWords("Write the host's address."));
        else
            findings.add(
                rules::serverIdNoAddress, place,
                ruleWords(
                    "\"%1\" is not an IP address. It need not be one, but some tools look for this host by "
                    "its address.")
                    .arg(id));
        break;
    }
}

void checkAreUnique(const ReadTable &read, FindingCollector &findings)
{
    // In template 2 several instances may stand on one server.
    if (isTemplate2(read.table.form))
        return;
    QSet<QPair<int, QString>> seen;
    for (std::size_t index = 0; index < read.table.servers.size(); ++index) {
        const Server &server = read.table.servers[index];
        const QPair<int, QString> key(server.group, server.serverId);
        if (!server.serverId.isEmpty() && seen.contains(key))
            findings.add(rules::duplicateServerId, idPlace(read, index),
                         ruleWords("Server \"%1\" stands in the list twice.").arg(server.serverId),
                         ruleWords("Put all devices of a server into one entry."));
        seen.insert(key);
    }
}

void checkHostIps(const ReadTable &read, FindingCollector &findings)
{
    std::size_t with = 0;
    for (const ServerPlace &place : read.servers) {
        const JsonValue hostIp = place.server["host_ip"];
        const JsonValue nic = place.server["host_nic_ip"];
        with += hostIp.exists() ? 1 : 0;
        if (hostIp.isString()) {
            const AddressKind kind = addressKindOf(hostIp.text());
            if (kind == AddressKind::None || kind == AddressKind::Masked)
                findings.add(rules::hostIp, hostIp,
                             ruleWords("\"%1\" is not an IP address.").arg(hostIp.text()),
                             ruleWords("Write the host's address, or take \"host_ip\" out of all servers."));
        }
        if (nic.exists())
            findings.add(rules::ignoredKey, nic,
                         ruleWords("\"host_nic_ip\" is not read by the communication library."));
    }
    if (with == 0 || with == read.servers.size())
        return;
    for (const ServerPlace &place : read.servers) {
        if (!place.server["host_ip"].exists())
            findings.add(rules::hostIp, place.server,
                         ruleWords("\"host_ip\" is missing here, but other servers have it."),
                         ruleWords("Give it to all servers or to none."));
    }
}

/// On A1 the library wants 1, 2, 4 or 8 devices, the same number on each server.
void checkDeviceCounts(const ReadTable &read, const CheckOptions &options, FindingCollector &findings)
{
    if (options.chip != Chip::A1 || isTemplate2(read.table.form))
        return;
    for (std::size_t index = 0; index < read.table.servers.size(); ++index) {
        const std::size_t count = read.table.servers[index].devices.size();
        const bool isPowerOfTwo = count == 1 || count == 2 || count == 4 || count == 8;
        if (!isPowerOfTwo)
            findings.add(rules::deviceCount, read.servers[index].server,
                         ruleWords("The server has %1 devices; an Ascend 910 wants 1, 2, 4 or 8.").arg(count),
                         ruleWords("Take devices out or add some."));
        if (count != read.table.servers.front().devices.size())
            findings.add(
                rules::deviceCount, read.servers[index].server,
                ruleWords(
                    "The server has %1 devices and the first one has %2; on an Ascend 910 all must have the "
                    "same number.")
                    .arg(count)
                    .arg(read.table.servers.front().devices.size()),
                ruleWords("Use the same number of devices on each server."));
    }
}

} // namespace

void checkServers(const ReadTable &read, const CheckOptions &options, FindingCollector &findings)
{
    if (read.table.form == RankTableForm::RankList)
        return; // Has no servers.
    for (std::size_t index = 0; index < read.table.servers.size(); ++index)
        checkServerId(read, index, findings);
    checkAreUnique(read, findings);
    checkHostIps(read, findings);
    checkDeviceCounts(read, options, findings);
}

} // namespace rankdeck
