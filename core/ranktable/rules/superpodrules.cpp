#include "ranktable/rules/rulewords.h"
#include "ranktable/rules/tablerules.h"

#include <QHash>
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
            m_findings.add(rules::superPodId, idPlace, ruleWords("The super pod's id is empty."),
                           ruleWords("Write its number."));
        const ServerKey key(pod.group, pod.superPodId);
        if (m_podIds.contains(key))
            m_findings.add(rules::superPodId, idPlace,
                           ruleWords("Super pod \"%1\" stands in the list twice.").arg(pod.superPodId),
                           ruleWords("Put all servers of a super pod into one entry."));
        m_podIds.insert(key);
        JsonValue server = place["server_list"].first();
        for (const QString &id : pod.serverIds) {
            checkServerOfPod(index, id, server["server_id"].exists() ? server["server_id"] : server);
            server = server.next();
        }
    }

    void checkServerOfPod(std::size_t pod, const QString &id, JsonValue place)
    {
        const ServerKey key(m_read.table.superPods[pod].group, id);
        if (!m_servers.contains(key))
            m_findings.add(rules::superPodServer, place,
                           ruleWords("Server \"%1\" of this super pod is not in \"server_list\".").arg(id),
                           ruleWords("Write the server_id of one of its servers."));
        else if (m_podOfServer.contains(key))
            m_findings.add(rules::superPodServer, place,
                           ruleWords("Server \"%1\" stands in two super pods.").arg(id),
                           ruleWords("Take it out of one of them."));
        else
            m_podOfServer.insert(key, static_cast<int>(pod));
    }

    void checkEachServerHasOne()
    {
        for (std::size_t index = 0; index < m_read.table.servers.size(); ++index) {
            const Server &server = m_read.table.servers[index];
            if (!m_podOfServer.contains({server.group, server.serverId}))
                m_findings.add(rules::superPodServer, m_read.servers[index].server,
                               ruleWords("Server \"%1\" is in no super pod.").arg(server.serverId),
                               ruleWords("Add it to the \"server_list\" of its super pod."));
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
                               ruleWords("Server \"%1\" stands apart from the others of its super pod.")
                                   .arg(server.serverId),
                               ruleWords("List the servers of a super pod one after the other."));
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
                const JsonValue entry = m_read.servers[index].devices[number];
                const JsonValue place = entry["super_device_id"].exists() ? entry["super_device_id"] : entry;
                checkSuperDeviceId(id, place);
                if (!id.isEmpty() && pod >= 0 && seen.contains({pod, id}))
                    m_findings.add(rules::duplicateSuperDeviceId, place,
                                   ruleWords("super_device_id %1 is used twice in this super pod.").arg(id),
                                   ruleWords("Write what \"npu-smi info -t spod-info -i N -c C\" shows."));
                seen.insert({pod, id});
            }
        }
    }

    void checkSuperDeviceId(const QString &id, JsonValue place)
    {
        if (place.exists() && !place.isString() && !place.isObject())
            return; // Said by the shape.
        const bool isDecimal = !id.isEmpty() && std::all_of(id.begin(), id.end(), [](QChar letter) {
            return letter >= QLatin1Char('0') && letter <= QLatin1Char('9');
        });
        if (!isDecimal)
            m_findings.add(
                rules::superDeviceId, place,
                id.isEmpty() ? ruleWords("\"super_device_id\" is missing or empty.")
                             : ruleWords("super_device_id \"%1\" is no decimal number.").arg(id),
                ruleWords("Write what \"npu-smi info -t spod-info -i N -c C\" shows, as a decimal number."));
    }

    const ReadTable &m_read;
    FindingCollector &m_findings;
    QSet<ServerKey> m_servers;
    QSet<ServerKey> m_podIds;
    QHash<ServerKey, int> m_podOfServer;
};

} // namespace

void checkSuperPods(const ReadTable &read, FindingCollector &findings)
{
    const bool isVersion12 = read.table.version == QLatin1String("1.2");
    if (!isVersion12 && read.table.form != RankTableForm::SuperPodList)
        return;
    if (read.table.superPods.empty()) {
        findings.add(
            rules::noSuperPods, read.root,
            ruleWords("Version 1.2 without \"super_pod_list\": the servers are taken for plain ones."),
            ruleWords("Add \"super_pod_list\", or write version \"1.0\"."));
        return;
    }
    SuperPodCheck(read, findings).run();
}

} // namespace rankdeck
