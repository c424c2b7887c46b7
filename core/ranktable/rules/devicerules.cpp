#include "ranktable/rules/rulewords.h"
#include "ranktable/rules/tablerules.h"

#include <QHash>
#include <QSet>

namespace rankdeck
{

namespace
{

JsonValue idPlace(JsonValue device)
{
    const JsonValue id = device["device_id"];
    return id.exists() ? id : device;
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
            findings.add(rules::reservedPort, place,
                         ruleWords("Port %1 is one of those that the system reserves.").arg(*port),
                         ruleWords("Use a port from 1024 up; 16666 is usual."));
    }
}

} // namespace

void checkDevices(const ReadTable &read, const CheckOptions &options, FindingCollector &findings)
{
    const int last = lastDeviceId(read.table.form, options.chip);
    QHash<QString, QSet<int>> idsOfServers;
    for (std::size_t index = 0; index < read.table.servers.size(); ++index) {
        const Server &server = read.table.servers[index];
        // One server may have several entries in template 2 only; elsewhere that is said of the server
        // itself.
        QSet<int> &ids = idsOfServers[QString::number(server.group) + QLatin1Char('/') + server.serverId];
        for (std::size_t number = 0; number < server.devices.size(); ++number) {
            const int id = server.devices[number].deviceId.value;
            const JsonValue place = idPlace(read.servers[index].devices[number]);
            checkPorts(read.servers[index].devices[number], findings);
            if (id == Device::host.value || !place.integer())
                continue;
            if (id > last)
                findings.add(
                    rules::deviceIdRange, place,
                    options.chip == Chip::Unknown
                        ? ruleWords("Device %1: the largest device id of any chip is %2.").arg(id).arg(last)
                        : ruleWords("Device %1: the largest device id of this chip is %2.").arg(id).arg(last),
                    ruleWords("Write the physical id, as npu-smi shows it."));
            if (ids.contains(id))
                findings.add(
                    rules::duplicateDeviceId, place,
                    ruleWords("Device %1 of server \"%2\" is used twice.").arg(id).arg(server.serverId),
                    ruleWords("Give each device of a server to one rank."));
            ids.insert(id);
        }
    }
}

} // namespace rankdeck
