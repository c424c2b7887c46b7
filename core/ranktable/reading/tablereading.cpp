#include "ranktable/reading/tablereading.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace rankdeck
{

namespace
{

using Effect = FindingCollector::Effect;

/// A rule about the text, with its message and advice.
struct TextRule {
    const Rule &rule;
    const char *what;
    const char *mend;
};

constexpr char nameATable[] = QT_TRANSLATE_NOOP("rankdeck", "Name a rank table.");

/// By JsonBlemish::Kind.
constexpr std::array blemishRules{
    TextRule{rules::byteOrderMark, QT_TRANSLATE_NOOP("rankdeck", "The file begins with a byte order mark."),
             QT_TRANSLATE_NOOP("rankdeck", "Save it as UTF-8 without one.")},
    TextRule{rules::comment,
             QT_TRANSLATE_NOOP("rankdeck", "JSON has no comments; the communication library rejects them."),
             QT_TRANSLATE_NOOP("rankdeck", "Remove the comment.")},
    TextRule{rules::trailingComma, QT_TRANSLATE_NOOP("rankdeck", "A comma with no entry after it."),
             QT_TRANSLATE_NOOP("rankdeck", "Remove the comma.")},
    TextRule{rules::elision, QT_TRANSLATE_NOOP("rankdeck", "Part of the table was omitted here."),
             QT_TRANSLATE_NOOP("rankdeck", "Replace the dots with the omitted part.")},
};

/// By JsonDocument::Problem::Kind; the limits replace %1.
constexpr std::array problemRules{
    TextRule{rules::syntax,
             QT_TRANSLATE_NOOP("rankdeck", "The file is not valid JSON at this line and column."),
             QT_TRANSLATE_NOOP("rankdeck",
                               "Check for a missing or surplus comma, colon or quote, here or just before.")},
    TextRule{rules::truncated, QT_TRANSLATE_NOOP("rankdeck", "The file is incomplete: it is not valid JSON."),
             QT_TRANSLATE_NOOP("rankdeck", "Wait until it is written, or complete it.")},
    TextRule{rules::hostile, QT_TRANSLATE_NOOP("rankdeck", "The number is too large for any reader."),
             QT_TRANSLATE_NOOP("rankdeck", "Correct the number.")},
    TextRule{rules::hostile,
             QT_TRANSLATE_NOOP("rankdeck",
                               "The file is nested more than %1 levels deep, too deep for a rank table."),
             nameATable},
    TextRule{rules::hostile,
             QT_TRANSLATE_NOOP("rankdeck", "The file holds more than %L1 values, too many for a rank table."),
             nameATable},
};

/// Reports faults of the text as JSON: syntax, comments, trailing commas, duplicate keys.
void checkText(const JsonDocument &document, FindingCollector &findings)
{
    for (const JsonBlemish &blemish : document.blemishes()) {
        const TextRule &text = blemishRules.at(static_cast<std::size_t>(blemish.kind));
        findings.add(text.rule, document, blemish.offset, tr(text.what), tr(text.mend));
    }
    if (const auto &problem = document.problem()) {
        using Kind = JsonDocument::Problem::Kind;
        const TextRule &text = problemRules.at(static_cast<std::size_t>(problem->kind));
        QString what = tr(text.what);
        if (problem->kind == Kind::TooDeep || problem->kind == Kind::TooManyValues)
            what =
                what.arg(problem->kind == Kind::TooDeep ? JsonDocument::maxDepth : JsonDocument::maxValues);
        findings.add(text.rule, document, problem->offset, what, tr(text.mend), Effect::Unusable);
    }
    for (const JsonValue duplicate : document.duplicates())
        findings.add(rules::duplicateKey, duplicate,
                     tr("\"%1\" appears twice in this object; the last one counts.")
                         .arg(QString::fromUtf8(duplicate.key())),
                     tr("Remove one of them."));
}

/// JSON without the blanks between its tokens.
QByteArray compact(QByteArrayView json)
{
    QByteArray text;
    text.reserve(json.size());
    for (qsizetype at = 0; at < json.size();) {
        const char byte = json[at];
        const qsizetype end = byte == '"' ? endOfJsonString(json, at) : at + 1;
        if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t')
            text.append(json.sliced(at, end - at));
        at = end;
    }
    return text;
}

OtherKeys otherKeysOf(JsonValue object, std::initializer_list<const char *> known)
{
    OtherKeys others;
    for (JsonValue member = object.first(); member.exists(); member = member.next()) {
        const bool isKnown =
            std::ranges::any_of(known, [&](const char *name) { return member.hasKey(name); });
        if (!isKnown)
            others += (others.isEmpty() ? "{" : ",") + compact(member.memberSource());
    }
    return others.isEmpty() ? others : others + '}';
}

/// A number that can be an id, or nothing.
std::optional<int> idOf(JsonValue value, int least = 0)
{
    const auto number = value.integer();
    return number && *number >= least && *number <= INT32_MAX ? std::optional(static_cast<int>(*number))
                                                              : std::nullopt;
}

std::optional<Rank> rankOf(JsonValue value)
{
    const auto number = idOf(value);
    return number ? std::optional(Rank(*number)) : std::nullopt;
}

/// Returns false for a group without devices, the CPU-only part: davincirun skips it, Rankdeck keeps it.
bool hasDevices(JsonValue group)
{
    if (group["device_count"].integer() == 0)
        return false;
    for (JsonValue value = group["instance_list"].first(); value.exists(); value = value.next()) {
        if (value["devices"].first().exists())
            return true;
    }
    return false;
}

class TableReader
{
public:
    TableReader(JsonValue root, RankTableForm form)
        : m_root(root)
    {
        m_read.root = root;
        m_read.table.form = form;
        m_read.table.version = root["version"].text();
        m_read.table.status = form == RankTableForm::RankList && !root["status"].exists()
                                  ? u"completed"_s
                                  : root["status"].text();
        m_read.table.otherKeys = otherKeysOf(
            root, {"version", "status", "server_count", "server_list", "super_pod_list", "group_count",
                   "group_list", "node_list", "rank_count", "rank_list", "server_group_list"});
    }

    ReadTable run()
    {
        switch (m_read.table.form) {
        case RankTableForm::GroupList:
        case RankTableForm::LabGroupList:
            readGroups();
            break;
        case RankTableForm::ServerList:
        case RankTableForm::SuperPodList:
            readServers(m_root, 0);
            break;
        case RankTableForm::ServerGroupList:
            readServerGroups();
            break;
        case RankTableForm::NodeList:
            readNodes();
            break;
        case RankTableForm::RankList:
            readRanks();
            break;
        }
        return std::move(m_read);
    }

private:
    Server &addServer(JsonValue value)
    {
        m_read.table.servers.emplace_back();
        m_read.servers.push_back({value, {}});
        return m_read.table.servers.back();
    }

    void addDevice(JsonValue value, Device device)
    {
        m_read.table.servers.back().devices.push_back(std::move(device));
        m_read.servers.back().devices.push_back(value);
    }

    void addGroup(JsonValue value, const char *nameKey, std::initializer_list<const char *> known)
    {
        m_read.table.groups.push_back({value[nameKey].text(), otherKeysOf(value, known)});
        m_read.groups.push_back(value);
    }

    /// @param otherwise the id of a device that has none.
    static Device deviceOf(JsonValue value, const char *ipKey = "device_ip",
                           const char *superIdKey = "super_device_id", DeviceId otherwise = {})
    {
        Device device;
        device.deviceId = DeviceId(idOf(value["device_id"]).value_or(otherwise.value));
        device.deviceIp = value[ipKey].text();
        device.rank = rankOf(value["rank_id"]);
        device.superDeviceId = value[superIdKey].text();
        device.otherKeys = otherKeysOf(value, {"device_id", ipKey, "rank_id", superIdKey});
        return device;
    }

    void readServers(JsonValue parent, int group)
    {
        for (JsonValue value = parent["server_list"].first(); value.exists(); value = value.next()) {
            Server &server = addServer(value);
            server.serverId = value["server_id"].text();
            server.group = group;
            server.otherKeys = otherKeysOf(value, {"server_id", "device"});
            for (JsonValue device = value["device"].first(); device.exists(); device = device.next())
                addDevice(device, deviceOf(device));
        }
        for (JsonValue value = parent["super_pod_list"].first(); value.exists(); value = value.next()) {
            SuperPod pod{
                value["super_pod_id"].text(), {}, group, otherKeysOf(value, {"super_pod_id", "server_list"})};
            for (JsonValue server = value["server_list"].first(); server.exists(); server = server.next())
                pod.serverIds.push_back(server["server_id"].text());
            m_read.table.superPods.push_back(std::move(pod));
            m_read.superPods.push_back(value);
        }
    }

    void readServerGroups()
    {
        int group = 0;
        for (JsonValue value = m_root["server_group_list"].first(); value.exists(); value = value.next()) {
            addGroup(value, "group_id", {"group_id", "server_count", "server_list", "super_pod_list"});
            readServers(value, group++);
        }
    }

    void readGroups()
    {
        const bool isLab = m_read.table.form == RankTableForm::LabGroupList;
        int group = 0;
        for (JsonValue value = m_root["group_list"].first(); value.exists(); value = value.next(), ++group) {
            if (!hasDevices(value)) {
                addGroup(value, "group_name", {"group_name"});
                continue;
            }
            addGroup(value, "group_name",
                     {"group_name", "device_count", "device_num", "server_num", "instance_count",
                      "instance_list"});
            for (JsonValue i = value["instance_list"].first(); i.exists(); i = i.next())
                readInstance(i, group, isLab);
        }
    }

    void readInstance(JsonValue value, int group, bool isLab)
    {
        Server &server = addServer(value);
        server.serverId = value["server_id"].text();
        server.podName = value["pod_name"].text();
        server.group = group;
        // The lab's rank is the devices'; an instance without any keeps its own: the form asks for it.
        server.otherKeys = isLab && value["devices"].first().exists()
                               ? otherKeysOf(value, {"server_id", "pod_name", "devices", "rank_id"})
                               : otherKeysOf(value, {"server_id", "pod_name", "devices"});
        // The lab's form has one device an instance; should there be more, they follow each other.
        auto rank = isLab ? rankOf(value["rank_id"]) : std::nullopt;
        for (JsonValue entry = value["devices"].first(); entry.exists(); entry = entry.next()) {
            Device device = deviceOf(entry);
            device.rank = rank;
            addDevice(entry, device);
            if (rank)
                ++rank->value;
        }
    }

    void readNodes()
    {
        for (JsonValue value = m_root["node_list"].first(); value.exists(); value = value.next()) {
            Server &server = addServer(value);
            server.serverId = value["node_addr"].text();
            server.otherKeys = otherKeysOf(value, {"node_addr", "ranks"});
            for (JsonValue entry = value["ranks"].first(); entry.exists(); entry = entry.next())
                addDevice(entry, deviceOf(entry, "rank_ip", "sdid", Device::host));
        }
    }

    /// The form has no servers: what shares an instance of the lowest network layer is taken for one.
    void readRanks()
    {
        QHash<QString, std::size_t> indexes;
        for (JsonValue entry = m_root["rank_list"].first(); entry.exists(); entry = entry.next()) {
            const QString id = entry["level_list"].first()["net_instance_id"].text();
            if (!indexes.contains(id)) {
                indexes.insert(id, m_read.table.servers.size());
                addServer(entry).serverId = id;
            }
            Device device;
            device.deviceId = DeviceId(idOf(entry["device_id"]).value_or(0));
            device.rank = rankOf(entry["rank_id"]);
            device.otherKeys = otherKeysOf(entry, {"device_id", "rank_id"});
            m_read.table.servers[indexes[id]].devices.push_back(device);
            m_read.servers[indexes[id]].devices.push_back(entry);
        }
    }

    JsonValue m_root;
    ReadTable m_read;
};

struct FormSign {
    const char *list;
    const char *version;
    RankTableForm form;
};

constexpr std::array formSigns{
    FormSign{"server_group_list", "", RankTableForm::ServerGroupList},
    FormSign{"rank_list", "2.0", RankTableForm::RankList},
    FormSign{"node_list", "1.1", RankTableForm::NodeList},
    FormSign{"group_list", "", RankTableForm::GroupList},
    FormSign{"server_list", "1.0", RankTableForm::ServerList},
    FormSign{"super_pod_list", "1.2", RankTableForm::SuperPodList},
};

/// Returns the form by the table's list, which readers need; another rule checks the version.
std::optional<RankTableForm> formOf(JsonValue root)
{
    const QString version = root["version"].text();
    const auto *found =
        std::ranges::find_if(formSigns, [&](const FormSign &sign) { return root[sign.list].exists(); });
    if (found == formSigns.end() && !version.isEmpty())
        found = std::ranges::find_if(
            formSigns, [&](const FormSign &sign) { return version == QLatin1String(sign.version); });
    if (found == formSigns.end())
        return std::nullopt;
    if (found->form == RankTableForm::GroupList &&
        (root["deploy_mode"].exists() || root["board_id"].exists()))
        return RankTableForm::LabGroupList;
    const bool hasOtherVersion = version == "1.0"_L1 || version == "1.1"_L1;
    if (found->form == RankTableForm::ServerList &&
        (version == "1.2"_L1 || (root["super_pod_list"].exists() && !hasOtherVersion)))
        return RankTableForm::SuperPodList;
    return found->form;
}

} // namespace

std::optional<ReadTable> readTable(const JsonDocument &document, FindingCollector &findings)
{
    checkText(document, findings);
    const JsonValue root = document.root();
    if (!root.exists())
        return std::nullopt;
    if (!root.isObject()) {
        findings.add(rules::unknownForm, root,
                     tr("A rank table is a JSON object, but this file holds something else."),
                     tr("See the rank table configuration of HCCL for its forms."), Effect::Unusable);
        return std::nullopt;
    }
    const QString status = root["status"].text();
    // Still being written: it may lack all else.
    if (!status.isEmpty() && status != "completed"_L1)
        return TableReader(root, formOf(root).value_or(RankTableForm::ServerList)).run();
    const auto form = formOf(root);
    if (!form) {
        const bool hasVersion = root["version"].exists();
        findings.add(rules::unknownForm, root.memberOrThis("version"),
                     hasVersion ? tr("Unknown rank table version \"%1\".").arg(root["version"].text())
                                : tr("Not a known form of rank table: \"server_list\", \"group_list\", "
                                     "\"node_list\", \"rank_list\" and \"server_group_list\" are missing."),
                     tr("Use template 2 or version 1.0, 1.1, 1.2 or 2.0."), Effect::Unusable);
        return std::nullopt;
    }
    checkShape(root, *form, findings);
    ReadTable read = TableReader(root, *form).run();
    if (read.table.deviceCount() == 0)
        findings.add(rules::emptyList, read.root, tr("The rank table lists no device."),
                     tr("Add its devices."), Effect::Unusable);
    return read;
}

Error unusableError(const Finding &finding, const QString &name)
{
    QString what = finding.what;
    if (what.endsWith('.'_L1))
        what.chop(1);
    QString where = name;
    if (finding.line > 0)
        where += u":%1:%2"_s.arg(finding.line).arg(finding.column);
    if (!finding.pointer.isEmpty())
        where += ' '_L1 + finding.pointer;
    return {what, where, finding.mend};
}

} // namespace rankdeck
