#include "ranktable/rules/rulewords.h"
#include "ranktable/rules/tablerules.h"

#include <QHash>
#include <QSet>

#include <optional>

namespace rankdeck
{

namespace
{

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
            return; // Said by the shape.
        if (device.deviceIp.isEmpty()) {
            checkMayBeMissing(place.exists() ? place : entry);
            return;
        }
        const QStringList addresses = device.deviceIp.split(QLatin1Char(','));
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
                ruleWords("The device has no \"device_ip\", which ranks of other servers need to reach it."),
                ruleWords("Write its address, as \"hccn_tool -i N -ip -g\" shows it."));
        else
            m_findings.add(
                rules::noDeviceIp, place,
                ruleWords(
                    "The device has no \"device_ip\". One server needs none, unless the chip is an Ascend "
                    "910 or 310P, or HCCL_INTRA_ROCE_ENABLE is set."));
    }

    void checkAddress(const QString &address, JsonValue place)
    {
        const AddressKind kind = addressKindOf(address);
        if (kind == AddressKind::Masked) {
            m_findings.add(rules::maskedDeviceIp, place,
                           ruleWords("\"%1\" is a mask, not an address.").arg(address),
                           ruleWords("Write the device's address, as \"hccn_tool -i N -ip -g\" shows it."));
            return;
        }
        if (kind == AddressKind::None) {
            m_findings.add(rules::invalidDeviceIp, place,
                           ruleWords("\"%1\" is not an IP address.").arg(address),
                           ruleWords("Write the device's address, as \"hccn_tool -i N -ip -g\" shows it."));
            return;
        }
        checkFamily(kind, place);
        if (m_seen.contains(address))
            m_findings.add(rules::duplicateDeviceIp, place,
                           ruleWords("The address %1 is used by two devices.").arg(address),
                           ruleWords("Give each device its own, as \"hccn_tool -i N -ip -g\" shows it."));
        m_seen.insert(address);
    }

    void checkFamily(AddressKind kind, JsonValue place)
    {
        if (!m_family)
            m_family = kind;
        if (m_isNeeded && kind != *m_family)
            m_findings.add(
                rules::deviceIpFamily, place,
                *m_family == AddressKind::IPv4
                    ? ruleWords("This is an IPv6 address, but the first device has an IPv4 address.")
                    : ruleWords("This is an IPv4 address, but the first device has an IPv6 address."),
                ruleWords("Use one family for all devices."));
    }

    void checkCount(qsizetype count, JsonValue place)
    {
        if (!m_count)
            m_count = count;
        if (count != *m_count)
            m_findings.add(
                rules::deviceIpCount, place,
                ruleWords("The device has %1 addresses, but the first one has %2.").arg(count).arg(*m_count),
                ruleWords("Give every device the same number of addresses."));
    }

    FindingCollector &m_findings;
    bool m_isNeeded;
    QSet<QString> m_seen;
    std::optional<AddressKind> m_family;
    std::optional<qsizetype> m_count;
};

} // namespace

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

} // namespace rankdeck
