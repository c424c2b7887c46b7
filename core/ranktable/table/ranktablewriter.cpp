#include "ranktable/table/ranktablewriter.h"

#include "base/fields.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QSet>

#include <algorithm>

namespace rankdeck
{

namespace
{

using Servers = std::vector<const Server *>;
using SuperPods = std::vector<const SuperPod *>;

QByteArray quoted(const QString &text)
{
    const bool isPlain = std::ranges::all_of(text, [](QChar character) {
        return character >= ' '_L1 && character <= '~'_L1 && character != '"'_L1 && character != '\\'_L1;
    });
    return isPlain ? '"' + text.toLatin1() + '"' : jsonTextOf(text);
}

/// JSON text of an object, key by key; values are JSON text. Rank tables are written as text, not through a
/// tree: unknown keys stay as they were written, and 100,000 devices take a fraction of a second.
class JsonObjectText
{
public:
    JsonObjectText &add(const char *key, const QByteArray &value)
    {
        return addMembers(QByteArray("\"") + key + "\":" + value);
    }
    JsonObjectText &addString(const char *key, const QString &text) { return add(key, quoted(text)); }
    JsonObjectText &addNumber(const char *key, qint64 number) { return add(key, QByteArray::number(number)); }
    /// Adds a number written as a string, which the forms before 2.0 require.
    JsonObjectText &addNumberString(const char *key, qint64 number)
    {
        return add(key, '"' + QByteArray::number(number) + '"');
    }
    JsonObjectText &addAll(const OtherKeys &otherKeys)
    {
        return addMembers(otherKeys.mid(1, otherKeys.size() - 2).trimmed());
    }
    QByteArray text() const { return '{' + m_members + '}'; }

private:
    JsonObjectText &addMembers(const QByteArray &members)
    {
        if (!members.isEmpty() && !m_members.isEmpty())
            m_members += ',';
        m_members += members;
        return *this;
    }

    QByteArray m_members;
};

/// Returns the text of a list of what `textOf` makes of each item: JSON text.
template <typename Items, typename TextOf = std::identity>
QByteArray listText(const Items &items, const TextOf &textOf = {})
{
    return '[' + listOf(items, textOf).join(',') + ']';
}

bool isSpace(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/// Returns the JSON with a line for each value and two spaces of indent, ending in a line end.
QByteArray laidOutJson(const QByteArray &json)
{
    QByteArray out;
    out.reserve(json.size() * 2);
    qsizetype depth = 0;
    const auto newLine = [&] {
        out.append('\n').append(2 * depth, ' ');
    };
    bool inString = false;
    for (qsizetype at = 0; at < json.size(); ++at) {
        const char byte = json[at];
        if (inString) {
            out += byte;
            if (byte == '\\' && at + 1 < json.size())
                out += json[++at];
            else if (byte == '"')
                inString = false;
        } else if (byte == '"') {
            out += byte;
            inString = true;
        } else if (byte == '{' || byte == '[') {
            out += byte;
            ++depth;
            qsizetype next = at + 1;
            while (next < json.size() && isSpace(json[next]))
                ++next;
            if (next < json.size() && (json[next] == '}' || json[next] == ']')) {
                out += json[next];
                at = next;
                --depth;
            } else {
                newLine();
            }
        } else if (byte == '}' || byte == ']') {
            --depth;
            newLine();
            out += byte;
        } else if (byte == ',') {
            out += byte;
            newLine();
        } else if (byte == ':') {
            out += ": ";
        } else if (!isSpace(byte)) {
            out += byte;
        }
    }
    return out + '\n';
}

/// Servers or super pods by their group. A table made by hand may lack the groups that its servers name.
template <typename Member>
std::vector<std::vector<const Member *>> byGroup(const std::vector<Member> &members, std::size_t groupCount)
{
    std::vector<std::vector<const Member *>> groups(groupCount);
    for (const Member &member : members) {
        const auto group = static_cast<std::size_t>(std::max(member.group, 0));
        if (group >= groups.size())
            groups.resize(group + 1);
        groups[group].push_back(&member);
    }
    return groups;
}

template <typename Member>
std::vector<const Member *> all(const std::vector<Member> &members)
{
    std::vector<const Member *> pointers(members.size());
    std::ranges::transform(members, pointers.begin(), [](const Member &member) { return &member; });
    return pointers;
}

qint64 deviceCountOf(const Servers &servers)
{
    qint64 count = 0;
    for (const Server *server : servers)
        count += static_cast<qint64>(server->devices.size());
    return count;
}

QByteArray deviceText(const Device &device)
{
    JsonObjectText text;
    text.addNumberString("device_id", device.deviceId.value);
    if (!device.deviceIp.isEmpty())
        text.addString("device_ip", device.deviceIp);
    if (!device.superDeviceId.isEmpty())
        text.addString("super_device_id", device.superDeviceId);
    if (device.rank)
        text.addNumberString("rank_id", device.rank->value);
    return text.addAll(device.otherKeys).text();
}

QByteArray serverListText(const Servers &servers)
{
    return listText(servers, [](const Server *server) {
        JsonObjectText text;
        if (!server->serverId.isEmpty() || !server->devices.empty())
            text.addString("server_id", server->serverId)
                .add("device", listText(server->devices, deviceText));
        return text.addAll(server->otherKeys).text();
    });
}

/// Devices as template 2 lists them: an instance's rank, if any, stands beside its devices.
QByteArray templateTwoDevices(const Server &instance)
{
    return listText(instance.devices, [](Device device) {
        device.rank.reset();
        return deviceText(device);
    });
}

QByteArray superPodListText(const SuperPods &superPods)
{
    const auto serverText = [](const QString &serverId) {
        return JsonObjectText().addString("server_id", serverId).text();
    };
    return listText(superPods, [&](const SuperPod *pod) {
        return JsonObjectText()
            .addString("super_pod_id", pod->superPodId)
            .add("server_list", listText(pod->serverIds, serverText))
            .addAll(pod->otherKeys)
            .text();
    });
}

void addHead(JsonObjectText &text, const RankTable &table, const char *version)
{
    if (!table.status.isEmpty())
        text.addString("status", table.status);
    const QString written = table.version.isEmpty() ? QString::fromLatin1(version) : table.version;
    if (!written.isEmpty())
        text.addString("version", written);
}

void addServers(JsonObjectText &text, const RankTable &table, const char *version)
{
    addHead(text, table, version);
    text.addNumberString("server_count", static_cast<qint64>(table.servers.size()));
    text.add("server_list", serverListText(all(table.servers)));
    if (!table.superPods.empty())
        text.add("super_pod_list", superPodListText(all(table.superPods)));
}

QByteArray cloudGroupText(const Group &group, const Servers &instances)
{
    QByteArrayList list;
    for (const Server *instance : instances)
        list.append(JsonObjectText()
                        .addString("pod_name", instance->podName)
                        .addString("server_id", instance->serverId)
                        .add("devices", templateTwoDevices(*instance))
                        .addAll(instance->otherKeys)
                        .text());
    return JsonObjectText()
        .addString("group_name", group.name)
        .addNumberString("device_count", deviceCountOf(instances))
        .addNumberString("instance_count", static_cast<qint64>(instances.size()))
        .add("instance_list", listText(list))
        .addAll(group.otherKeys)
        .text();
}

QByteArray labGroupText(const Group &group, const Servers &instances)
{
    QSet<QString> servers;
    QByteArrayList list;
    for (const Server *instance : instances) {
        servers.insert(instance->serverId);
        JsonObjectText text;
        text.add("devices", templateTwoDevices(*instance));
        if (!instance->devices.empty() && instance->devices.front().rank)
            text.addNumberString("rank_id", instance->devices.front().rank->value);
        if (!instance->podName.isEmpty())
            text.addString("pod_name", instance->podName);
        text.addString("server_id", instance->serverId).addAll(instance->otherKeys);
        list.append(text.text());
    }
    return JsonObjectText()
        .addNumberString("device_num", deviceCountOf(instances))
        .addNumberString("server_num", servers.size())
        .addString("group_name", group.name)
        .addNumberString("instance_count", static_cast<qint64>(instances.size()))
        .add("instance_list", listText(list))
        .addAll(group.otherKeys)
        .text();
}

/// A group without devices may say all it does in its other keys, as it was written.
bool isKeptAsItWas(const Group &group, std::size_t instanceCount)
{
    const auto members = membersOf(instanceCount == 0 ? group.otherKeys : OtherKeys());
    return std::ranges::any_of(members, [](const JsonMember &member) {
        return member.key == "device_count" || member.key == "instance_list";
    });
}

QByteArray groupText(const RankTable &table, const Group &group, const Servers &instances)
{
    if (isKeptAsItWas(group, instances.size()))
        return JsonObjectText().addString("group_name", group.name).addAll(group.otherKeys).text();
    return table.form == RankTableForm::LabGroupList ? labGroupText(group, instances)
                                                     : cloudGroupText(group, instances);
}

void addGroups(JsonObjectText &text, const RankTable &table)
{
    addHead(text, table, "");
    const auto instances = byGroup(table.servers, table.groups.size());
    QByteArrayList list;
    for (std::size_t index = 0; index < instances.size(); ++index) {
        const Group group = index < table.groups.size() ? table.groups[index] : Group();
        list.append(groupText(table, group, instances[index]));
    }
    text.addNumberString("group_count", static_cast<qint64>(instances.size()));
    text.add("group_list", listText(list));
}

void addServerGroups(JsonObjectText &text, const RankTable &table)
{
    addHead(text, table, "");
    const auto servers = byGroup(table.servers, table.groups.size());
    const auto superPods = byGroup(table.superPods, servers.size());
    QByteArrayList list;
    for (std::size_t index = 0; index < servers.size(); ++index) {
        const Group group = index < table.groups.size() ? table.groups[index] : Group();
        JsonObjectText entry;
        entry.addString("group_id", group.name);
        entry.addNumberString("server_count", static_cast<qint64>(servers[index].size()));
        entry.add("server_list", serverListText(servers[index]));
        if (!superPods[index].empty())
            entry.add("super_pod_list", superPodListText(superPods[index]));
        list.append(entry.addAll(group.otherKeys).text());
    }
    text.add("server_group_list", listText(list));
}

void addNodes(JsonObjectText &text, const RankTable &table)
{
    addHead(text, table, "1.1");
    const auto rankText = [](const Device &device) {
        JsonObjectText rank;
        if (device.rank)
            rank.addNumberString("rank_id", device.rank->value);
        if (device.deviceId != Device::host)
            rank.addNumberString("device_id", device.deviceId.value);
        if (!device.deviceIp.isEmpty())
            rank.addString("rank_ip", device.deviceIp);
        if (!device.superDeviceId.isEmpty())
            rank.addString("sdid", device.superDeviceId);
        return rank.addAll(device.otherKeys).text();
    };
    const auto nodeText = [&](const Server &node) {
        return JsonObjectText()
            .addString("node_addr", node.serverId)
            .add("ranks", listText(node.devices, rankText))
            .addAll(node.otherKeys)
            .text();
    };
    text.add("node_list", listText(table.servers, nodeText));
}

/// Addresses stand in each rank's level_list, which is one of its other keys.
void addRanks(JsonObjectText &text, const RankTable &table)
{
    addHead(text, table, "2.0");
    std::vector<const Device *> devices;
    for (const Server &server : table.servers) {
        for (const Device &device : server.devices)
            devices.push_back(&device);
    }
    std::ranges::stable_sort(devices, {}, &Device::rank);
    const auto rankText = [](const Device *device) {
        JsonObjectText rank;
        if (device->rank)
            rank.addNumber("rank_id", device->rank->value);
        return rank.addNumber("device_id", device->deviceId.value).addAll(device->otherKeys).text();
    };
    text.addNumber("rank_count", static_cast<qint64>(devices.size()));
    text.add("rank_list", listText(devices, rankText));
}

} // namespace

QByteArray toJson(const RankTable &table)
{
    JsonObjectText text;
    switch (table.form) {
    case RankTableForm::GroupList:
    case RankTableForm::LabGroupList:
        addGroups(text, table);
        break;
    case RankTableForm::ServerList:
        addServers(text, table, "1.0");
        break;
    case RankTableForm::NodeList:
        addNodes(text, table);
        break;
    case RankTableForm::SuperPodList:
        addServers(text, table, "1.2");
        break;
    case RankTableForm::RankList:
        addRanks(text, table);
        break;
    case RankTableForm::ServerGroupList:
        addServerGroups(text, table);
        break;
    }
    return laidOutJson(text.addAll(table.otherKeys).text());
}

Result<QString> writeRankTable(const QByteArray &content, const QString &path)
{
    const auto failed = [&](const QString &why) {
        return Error{tr("the rank table cannot be written: %1").arg(why), path,
                     tr("Name another file with --converted-rank-table.")};
    };
    const QString folder = QFileInfo(path).absolutePath();
    if (!QDir().mkpath(folder))
        return failed(tr("its folder cannot be created"));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit())
        return failed(problemOf(file));
    return path;
}

} // namespace rankdeck
