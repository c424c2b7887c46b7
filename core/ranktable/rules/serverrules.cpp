#include "ranktable/rules/tablerules.h"

#include <QHostAddress>
#include <QSet>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// Digits and dots alone are what QHostAddress takes too much of: "1.2" and "7" are addresses to it.
bool isDottedQuad(const QString &text)
{
    const auto isDigitOrDot = [](QChar letter) {
        return letter == '.'_L1 || (letter >= '0'_L1 && letter <= '9'_L1);
    };
    return text.count('.'_L1) == 3 && std::ranges::all_of(text, isDigitOrDot);
}

/// "192.1.*.6", "xx.xx.xx.xx", "xx-xx-xx-xx", "xxxx", "<ip>", "[device_ip]": a place to fill in.
bool isMasked(const QString &text)
{
    const auto isMask = [](QChar letter) {
        return letter == 'x'_L1 || letter == 'X'_L1 || letter == '.'_L1 || letter == '-'_L1;
    };
    const bool isInBrackets = (text.startsWith('['_L1) && text.endsWith(']'_L1)) ||
                              (text.startsWith('<'_L1) && text.endsWith('>'_L1));
    const bool isPartlyMasked = text.count('.'_L1) == 3 && text.contains('x'_L1, Qt::CaseInsensitive) &&
                                std::ranges::none_of(text, [](QChar letter) {
                                    return letter.isLetter() && letter.toLower() != 'x'_L1;
                                });
    return text.contains('*'_L1) || isInBrackets || isPartlyMasked ||
           (text.size() > 1 && std::ranges::all_of(text, isMask));
}

/// The largest physical id of the chip; of no chip in particular, the largest of all that use the form.
int lastDeviceId(RankTableForm form, Chip chip)
{
    switch (chip) {
    case Chip::A1:
        return 7;
    case Chip::A2:
    case Chip::A3:
    case Chip::Duo300I:
        return 15;
    case Chip::A5:
        return 64;
    case Chip::Unknown:
        return form == RankTableForm::RankList ? 64 : 15;
    }
    Q_UNREACHABLE();
}

void checkPorts(JsonValue device, FindingCollector &findings)
{
    constexpr int firstFreePort = 1024;
    for (const char *key : {"device_port", "device_vnic_port", "backup_device_port", "host_port", "port"}) {
        const JsonValue place = device[key];
        const auto port = place.integer();
        if (port && *port > 0 && *port < firstFreePort)
            findings.add(rules::reservedPort, place, tr("Port %1 is reserved by the system.").arg(*port),
                         tr("Use port 1024 or higher; 16666 is usual."));
    }
}

/// Whether ranks reach each other by the devices' own network: always on some chips, else when there are
/// several servers, or several super pods where there are some.
bool needsDeviceIp(const ReadTable &read, Chip chip)
{
    const RankTableForm form = read.table.form;
    if (chip == Chip::A1 || chip == Chip::Duo300I || form == RankTableForm::GroupList ||
        form == RankTableForm::LabGroupList)
        return true;
    if (form == RankTableForm::SuperPodList && !read.table.superPods.empty())
        return read.table.superPods.size() > 1;
    QSet<QString> servers;
    for (const Server &server : read.table.servers)
        servers.insert(server.serverId);
    return servers.size() > 1;
}

class DeviceIpCheck
{
public:
    DeviceIpCheck(const ReadTable &read, Chip chip, FindingCollector &findings)
        : m_findings(findings)
        , m_isNeeded(needsDeviceIp(read, chip))
    {
    }

    void check(const Device &device, JsonValue entry)
    {
        const JsonValue place = entry["device_ip"];
        if (place.exists() && !place.isString())
            return; // checkShape() reports it.
        if (device.deviceIp.isEmpty()) {
            checkMayBeMissing(place.exists() ? place : entry);
            return;
        }
        const QStringList addresses = device.deviceIp.split(','_L1);
        for (const QString &address : addresses)
            checkAddress(address.trimmed(), place);
        checkCount(addresses.size(), place);
    }

private:
    void checkMayBeMissing(JsonValue place)
    {
        if (m_isNeeded)
            m_findings.add(
                rules::missingDeviceIp, place,
                tr("The device has no \"device_ip\". Ranks of other servers need it to reach the device."),
                tr("Write its address, as shown by \"hccn_tool -i N -ip -g\"."));
        else
            m_findings.add(rules::noDeviceIp, place,
                           tr("The device has no \"device_ip\". A single server needs none, unless the chip "
                              "is an Ascend 910 or 310P, or HCCL_INTRA_ROCE_ENABLE is set."));
    }

    void checkAddress(const QString &address, JsonValue place)
    {
        const AddressKind kind = addressKindOf(address);
        if (kind == AddressKind::Masked) {
            m_findings.add(rules::maskedDeviceIp, place, tr("\"%1\" is a mask, not an address.").arg(address),
                           tr("Write the device's address, as shown by \"hccn_tool -i N -ip -g\"."));
            return;
        }
        if (kind == AddressKind::None) {
            m_findings.add(rules::invalidDeviceIp, place, tr("\"%1\" is not an IP address.").arg(address),
                           tr("Write the device's address, as shown by \"hccn_tool -i N -ip -g\"."));
            return;
        }
        checkFamily(kind, place);
        if (m_seen.contains(address))
            m_findings.add(rules::duplicateDeviceIp, place,
                           tr("The address %1 is used by two devices.").arg(address),
                           tr("Give each device its own address, as shown by \"hccn_tool -i N -ip -g\"."));
        m_seen.insert(address);
    }

    void checkFamily(AddressKind kind, JsonValue place)
    {
        if (!m_family)
            m_family = kind;
        if (m_isNeeded && kind != *m_family)
            m_findings.add(rules::deviceIpFamily, place,
                           *m_family == AddressKind::IPv4
                               ? tr("This is an IPv6 address, but the first device has an IPv4 address.")
                               : tr("This is an IPv4 address, but the first device has an IPv6 address."),
                           tr("Use one family for all devices."));
    }

    void checkCount(qsizetype count, JsonValue place)
    {
        if (!m_count)
            m_count = count;
        if (count != *m_count)
            m_findings.add(rules::deviceIpCount, place,
                           tr("The device has %n addresses, but the first one has %1.",
                              "The device has %n address, but the first one has %1.", static_cast<int>(count))
                               .arg(*m_count),
                           tr("Give every device the same number of addresses."));
    }

    FindingCollector &m_findings;
    bool m_isNeeded;
    QSet<QString> m_seen;
    std::optional<AddressKind> m_family;
    std::optional<qsizetype> m_count;
};

bool isTemplate2(RankTableForm form)
{
    return form == RankTableForm::GroupList || form == RankTableForm::LabGroupList;
}

JsonValue idPlace(const ReadTable &read, std::size_t index)
{
    const char *key = read.table.form == RankTableForm::NodeList ? "node_addr" : "server_id";
    return read.servers[index].server.memberOrThis(key);
}

void checkServerId(const ReadTable &read, std::size_t index, FindingCollector &findings)
{
    constexpr qsizetype documentedLength = 64;
    const QString &id = read.table.servers[index].serverId;
    const JsonValue place = idPlace(read, index);
    if (!place.isString())
        return; // checkShape() reports it.
    if (id.isEmpty()) {
        findings.add(rules::emptyServerId, place, tr("The server's id is empty."),
                     tr("Write the host's address."));
        return;
    }
    if (id.size() > documentedLength)
        findings.add(rules::longServerId, place,
                     tr("The server's id is %1 characters long; at most %2 are allowed.")
                         .arg(id.size())
                         .arg(documentedLength),
                     tr("Use the host's address."));
    switch (addressKindOf(id)) {
    case AddressKind::IPv4:
    case AddressKind::IPv6:
        break;
    case AddressKind::Masked:
        findings.add(rules::maskedServerId, place, tr("\"%1\" is a mask, not an address.").arg(id),
                     tr("Write the host's address."));
        break;
    case AddressKind::None:
        if (read.table.form == RankTableForm::NodeList)
            findings.add(rules::nodeAddress, place, tr("\"%1\" is not an IP address.").arg(id),
                         tr("Write the host's address."));
        else
            findings.add(
                rules::serverIdNoAddress, place,
                tr("\"%1\" is not an IP address. This is allowed, but some tools use it to find the host.")
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
                         tr("Server \"%1\" is listed twice.").arg(server.serverId),
                         tr("Put all devices of a server into one entry."));
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
                findings.add(rules::hostIp, hostIp, tr("\"%1\" is not an IP address.").arg(hostIp.text()),
                             tr("Write the host's address, or remove \"host_ip\" from all servers."));
        }
        if (nic.exists())
            findings.add(rules::ignoredKey, nic, tr("The communication library ignores \"host_nic_ip\"."));
    }
    if (with == 0 || with == read.servers.size())
        return;
    for (const ServerPlace &place : read.servers) {
        if (!place.server["host_ip"].exists())
            findings.add(rules::hostIp, place.server,
                         tr("\"host_ip\" is missing here, but other servers have it."),
                         tr("Give it to all servers or to none."));
    }
}

/// Checks a rule of the library for A1: 1, 2, 4 or 8 devices, the same number on each server.
void checkDeviceCounts(const ReadTable &read, const CheckOptions &options, FindingCollector &findings)
{
    if (options.chip != Chip::A1 || isTemplate2(read.table.form))
        return;
    for (std::size_t index = 0; index < read.table.servers.size(); ++index) {
        const std::size_t count = read.table.servers[index].devices.size();
        const bool isPowerOfTwo = count == 1 || count == 2 || count == 4 || count == 8;
        if (!isPowerOfTwo)
            findings.add(rules::deviceCount, read.servers[index].server,
                         tr("The server has %1 devices; an Ascend 910 needs 1, 2, 4 or 8.").arg(count),
                         tr("Remove or add devices."));
        if (count != read.table.servers.front().devices.size())
            findings.add(rules::deviceCount, read.servers[index].server,
                         tr("The server has %n devices, but the first one has %1. On an Ascend 910 all need "
                            "the same number.",
                            "The server has %n device, but the first one has %1. On an Ascend 910 all need "
                            "the same number.",
                            static_cast<int>(count))
                             .arg(read.table.servers.front().devices.size()),
                         tr("Use the same number of devices on each server."));
    }
}

} // namespace

AddressKind addressKindOf(const QString &text)
{
    QHostAddress address;
    if (isDottedQuad(text) ? address.setAddress(text) : text.contains(':'_L1) && address.setAddress(text))
        return address.protocol() == QAbstractSocket::IPv6Protocol ? AddressKind::IPv6 : AddressKind::IPv4;
    return isMasked(text) ? AddressKind::Masked : AddressKind::None;
}

void checkDevices(const ReadTable &read, const CheckOptions &options, FindingCollector &findings)
{
    const int last = lastDeviceId(read.table.form, options.chip);
    QHash<QString, QSet<int>> idsOfServers;
    for (std::size_t index = 0; index < read.table.servers.size(); ++index) {
        const Server &server = read.table.servers[index];
        // One server may have several entries in template 2 only; other forms report the server itself.
        QSet<int> &ids = idsOfServers[QString::number(server.group) + '/'_L1 + server.serverId];
        for (std::size_t number = 0; number < server.devices.size(); ++number) {
            const int id = server.devices[number].deviceId.value;
            const JsonValue place = read.servers[index].devices[number].memberOrThis("device_id");
            checkPorts(read.servers[index].devices[number], findings);
            if (id == Device::host.value || !place.integer())
                continue;
            if (id > last)
                findings.add(
                    rules::deviceIdRange, place,
                    options.chip == Chip::Unknown
                        ? tr("Device %1: the largest device id of any chip is %2.").arg(id).arg(last)
                        : tr("Device %1: the largest device id of this chip is %2.").arg(id).arg(last),
                    tr("Write the physical id, as shown by npu-smi."));
            if (ids.contains(id))
                findings.add(rules::duplicateDeviceId, place,
                             tr("Device %1 of server \"%2\" is used twice.").arg(id).arg(server.serverId),
                             tr("Give each device of a server to one rank."));
            ids.insert(id);
        }
    }
}

void checkDeviceIps(const ReadTable &read, const CheckOptions &options, FindingCollector &findings)
{
    const RankTableForm form = read.table.form;
    if (form == RankTableForm::RankList || form == RankTableForm::NodeList)
        return; // Have other keys for their addresses.
    DeviceIpCheck check(read, options.chip, findings);
    for (std::size_t index = 0; index < read.table.servers.size(); ++index) {
        const Server &server = read.table.servers[index];
        for (std::size_t number = 0; number < server.devices.size(); ++number)
            check.check(server.devices[number], read.servers[index].devices[number]);
    }
}

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
