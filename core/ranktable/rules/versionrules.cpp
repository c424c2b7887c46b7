#include "ranktable/rules/tablerules.h"

#include <QSet>

#include <algorithm>

namespace rankdeck
{

namespace
{

using ServerKey = QPair<int, QString>; ///< Group and server_id.

class SuperPodCheck
{
public:
    SuperPodCheck(const ReadTable &read, FindingCollector &findings)
        : m_read(read)
        , m_findings(findings)
    {
        for (const Server &server : read.table.servers)
            m_servers.insert({server.group, server.serverId});
    }

    void run()
    {
        for (std::size_t index = 0; index < m_read.table.superPods.size(); ++index)
            checkPod(index);
        checkEachServerHasOne();
        checkOrder();
        checkDevices();
    }

private:
    void checkPod(std::size_t index)
    {
        const SuperPod &pod = m_read.table.superPods[index];
        const JsonValue place = m_read.superPods[index];
        const JsonValue idPlace = place["super_pod_id"];
        if (idPlace.isString() && pod.superPodId.isEmpty())
            m_findings.add(rules::superPodId, idPlace, tr("The super pod's id is empty."),
                           tr("Write its number."));
        const ServerKey key(pod.group, pod.superPodId);
        if (m_podIds.contains(key))
            m_findings.add(rules::superPodId, idPlace,
                           tr("Super pod \"%1\" is listed twice.").arg(pod.superPodId),
                           tr("Put all servers of a super pod into one entry."));
        m_podIds.insert(key);
        JsonValue server = place["server_list"].first();
        for (const QString &id : pod.serverIds) {
            checkServerOfPod(index, id, server.memberOrThis("server_id"));
            server = server.next();
        }
    }

    void checkServerOfPod(std::size_t pod, const QString &id, JsonValue place)
    {
        const ServerKey key(m_read.table.superPods[pod].group, id);
        if (!m_servers.contains(key))
            m_findings.add(rules::superPodServer, place,
                           tr("Server \"%1\" of this super pod is not in \"server_list\".").arg(id),
                           tr("Write the server_id of one of its servers."));
        else if (m_podOfServer.contains(key))
            m_findings.add(rules::superPodServer, place,
                           tr("Server \"%1\" belongs to two super pods.").arg(id),
                           tr("Remove it from one of them."));
        else
            m_podOfServer.insert(key, static_cast<int>(pod));
    }

    void checkEachServerHasOne()
    {
        for (std::size_t index = 0; index < m_read.table.servers.size(); ++index) {
            const Server &server = m_read.table.servers[index];
            if (!m_podOfServer.contains({server.group, server.serverId}))
                m_findings.add(rules::superPodServer, m_read.servers[index].server,
                               tr("Server \"%1\" belongs to no super pod.").arg(server.serverId),
                               tr("Add it to the \"server_list\" of its super pod."));
        }
    }

    /// Servers of one super pod must follow each other.
    void checkOrder()
    {
        QSet<int> left;
        int current = -1;
        for (std::size_t index = 0; index < m_read.table.servers.size(); ++index) {
            const Server &server = m_read.table.servers[index];
            const int pod = m_podOfServer.value({server.group, server.serverId}, -1);
            if (pod < 0 || pod == current)
                continue;
            if (left.contains(pod))
                m_findings.add(rules::superPodOrder, m_read.servers[index].server,
                               tr("Server \"%1\" is listed apart from the others of its super pod.")
                                   .arg(server.serverId),
                               tr("List the servers of a super pod one after the other."));
            left.insert(current);
            current = pod;
        }
    }

    void checkDevices()
    {
        QSet<QPair<int, QString>> seen; // Super pod and super_device_id.
        for (std::size_t index = 0; index < m_read.table.servers.size(); ++index) {
            const Server &server = m_read.table.servers[index];
            const int pod = m_podOfServer.value({server.group, server.serverId}, -1);
            for (std::size_t number = 0; number < server.devices.size(); ++number) {
                const QString &id = server.devices[number].superDeviceId;
                const JsonValue place = m_read.servers[index].devices[number].memberOrThis("super_device_id");
                checkSuperDeviceId(id, place);
                if (!id.isEmpty() && pod >= 0 && seen.contains({pod, id}))
                    m_findings.add(rules::duplicateSuperDeviceId, place,
                                   tr("super_device_id %1 is used twice in this super pod.").arg(id),
                                   tr("Write the value shown by \"npu-smi info -t spod-info -i N -c C\"."));
                seen.insert({pod, id});
            }
        }
    }

    void checkSuperDeviceId(const QString &id, JsonValue place)
    {
        if (place.exists() && !place.isString() && !place.isObject())
            return; // checkShape() reports it.
        const bool isDecimal = !id.isEmpty() && std::ranges::all_of(id, [](QChar letter) {
            return letter >= '0'_L1 && letter <= '9'_L1;
        });
        if (!isDecimal)
            m_findings.add(
                rules::superDeviceId, place,
                id.isEmpty() ? tr("\"super_device_id\" is missing or empty.")
                             : tr("super_device_id \"%1\" is not a decimal number.").arg(id),
                tr("Write the value shown by \"npu-smi info -t spod-info -i N -c C\", as a decimal number."));
    }

    const ReadTable &m_read;
    FindingCollector &m_findings;
    QSet<ServerKey> m_servers;
    QSet<ServerKey> m_podIds;
    QHash<ServerKey, int> m_podOfServer;
};

/// A file that describes the topology is known for the lowest layer only.
constexpr char topologyFile[] = "TOPO_FILE_DESC";

bool isHexadecimal(const QString &text, qsizetype digits)
{
    return text.size() == digits && std::ranges::all_of(text, [](QChar letter) {
               return letter.isDigit() || (letter.toLower() >= 'a'_L1 && letter.toLower() <= 'f'_L1);
           });
}

class RankListCheck
{
public:
    explicit RankListCheck(FindingCollector &findings)
        : m_findings(findings)
    {
    }

    void checkRank(JsonValue rank)
    {
        constexpr int backup = 64;
        if (rank["local_id"].integer() == backup && !rank["replaced_local_id"].exists())
            m_findings.add(rules::backupDevice, rank["local_id"],
                           tr("local_id 64 is a backup device, but \"replaced_local_id\" is missing."),
                           tr("Add the local_id of the device that it replaces."));
        qint64 previous = -1;
        for (JsonValue level = rank["level_list"].first(); level.exists(); level = level.next()) {
            checkLevel(level, previous);
            previous = level["net_layer"].integer().value_or(previous);
        }
    }

private:
    void checkLevel(JsonValue level, qint64 previous)
    {
        constexpr qsizetype longestId = 1024;
        const JsonValue layer = level["net_layer"];
        if (layer.integer() && *layer.integer() <= previous)
            m_findings.add(
                rules::networkLayer, layer,
                tr("Layer %1 follows layer %2; layers must ascend.").arg(*layer.integer()).arg(previous),
                tr("List the layers in ascending order, each once."));
        const JsonValue instance = level["net_instance_id"];
        if (instance.isString() && (instance.text().isEmpty() || instance.text().size() > longestId))
            m_findings.add(rules::networkLayer, instance,
                           tr("\"net_instance_id\" must have 1 to %1 characters.").arg(longestId),
                           tr("Correct it."));
        checkType(level, layer.integer().value_or(-1));
        for (JsonValue address = level["rank_addr_list"].first(); address.exists(); address = address.next())
            checkAddress(address);
    }

    void checkType(JsonValue level, qint64 layer)
    {
        const JsonValue type = level["net_type"];
        if (!type.isString() || layer < 0)
            return; // checkShape() reports it.
        const bool isTopologyFile = type.text() == QLatin1String(topologyFile);
        if (layer == 0 && !isTopologyFile)
            m_findings.add(rules::networkLayer, type, tr("Layer 0 must have the type \"TOPO_FILE_DESC\"."),
                           tr("Write \"TOPO_FILE_DESC\"."));
        else if (layer > 0 && type.text() != "CLOS"_L1)
            m_findings.add(rules::networkLayer, type, tr("Layers above 0 must have the type \"CLOS\"."),
                           tr("Write \"CLOS\"."));
    }

    void checkAddress(JsonValue address)
    {
        const JsonValue type = address["addr_type"];
        const JsonValue value = address["addr"];
        if (!type.isString() || !value.isString())
            return; // checkShape() reports it.
        const QString name = type.text();
        const AddressKind kind = addressKindOf(value.text());
        const bool isEid = name == "EID"_L1;
        if (!isEid && name != "IPV4"_L1 && name != "IPV6"_L1)
            m_findings.add(rules::networkAddress, type, tr("\"%1\" is not a type of address.").arg(name),
                           tr("Write \"EID\", \"IPV4\" or \"IPV6\"."));
        else if (isEid ? !isHexadecimal(value.text(), 32)
                       : kind != (name == "IPV4"_L1 ? AddressKind::IPv4 : AddressKind::IPv6))
            m_findings.add(rules::networkAddress, value,
                           tr("\"%1\" is not an address of type %2.").arg(value.text(), name),
                           tr("Correct the address or its type; an EID has 32 hexadecimal digits."));
    }

    FindingCollector &m_findings;
};

} // namespace

void checkSuperPods(const ReadTable &read, FindingCollector &findings)
{
    const bool isVersion12 = read.table.version == "1.2"_L1;
    if (!isVersion12 && read.table.form != RankTableForm::SuperPodList)
        return;
    if (read.table.superPods.empty()) {
        findings.add(rules::noSuperPods, read.root,
                     tr("Version 1.2 without \"super_pod_list\": the servers are treated as plain ones."),
                     tr("Add \"super_pod_list\", or write version \"1.0\"."));
        return;
    }
    SuperPodCheck(read, findings).run();
}

void checkRankList(const ReadTable &read, FindingCollector &findings)
{
    if (read.table.form != RankTableForm::RankList)
        return;
    RankListCheck check(findings);
    for (JsonValue rank = read.root["rank_list"].first(); rank.exists(); rank = rank.next())
        check.checkRank(rank);
    const JsonValue detour = read.root["detour"];
    if (detour.isString() && detour.text() != "true"_L1 && detour.text() != "false"_L1)
        findings.add(rules::outOfRange, detour, tr("\"detour\" must be \"true\" or \"false\"."),
                     tr("Write one of them, as a string."));
}

void checkNodeList(const ReadTable &read, FindingCollector &findings)
{
    if (read.table.form != RankTableForm::NodeList)
        return;
    constexpr qsizetype longestId = 127;
    const JsonValue id = read.root["collective_id"];
    if (id.isString() && id.text().size() > longestId)
        findings.add(rules::collectiveId, id,
                     tr("\"collective_id\" is %1 characters long; at most %2 are allowed.")
                         .arg(id.text().size())
                         .arg(longestId),
                     tr("Shorten it."));
    const JsonValue mode = read.root["mode"];
    if (mode.isString() && mode.text() != "tcp"_L1 && mode.text() != "rdma"_L1)
        findings.add(rules::nodeMode, mode, tr("\"mode\" must be \"tcp\" or \"rdma\"."),
                     tr("Use only one of them."));
    for (const ServerPlace &place : read.servers) {
        for (const JsonValue rank : place.devices) {
            const JsonValue ip = rank["rank_ip"];
            const AddressKind kind = addressKindOf(ip.text());
            if (ip.isString() && kind != AddressKind::IPv4 && kind != AddressKind::IPv6)
                findings.add(rules::nodeAddress, ip, tr("\"%1\" is not an IP address.").arg(ip.text()),
                             tr("Write the rank's address."));
        }
    }
}

} // namespace rankdeck
