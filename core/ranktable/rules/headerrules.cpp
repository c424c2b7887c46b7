#include "ranktable/rules/tablerules.h"

#include <QSet>

namespace rankdeck
{

static void checkPods(const ReadTable &read, FindingCollector &findings)
{
    QSet<QString> seen;
    for (std::size_t index = 0; index < read.table.servers.size(); ++index) {
        const QString &pod = read.table.servers[index].podName;
        const JsonValue place = read.servers[index].server["pod_name"];
        if (!place.isString())
            continue; // checkShape() reports it.
        if (seen.contains(pod))
            findings.add(rules::duplicatePod, place, tr("Two instances have the name \"%1\".").arg(pod),
                         tr("Give each instance its own name."));
        seen.insert(pod);
        if (read.table.servers.size() > 1 && !podNumber(pod))
            findings.add(
                rules::podNumber, place,
                tr("\"%1\" does not end in '-' and a number, by which davincirun orders the instances.")
                    .arg(pod),
                tr("Name the instances as the platform does, e.g. job-0 and job-1."));
    }
}

static void checkLab(const ReadTable &read, FindingCollector &findings)
{
    const JsonValue location = read.root["para_plane_nic_location"];
    if (location.isString() && location.text() != "device"_L1)
        findings.add(rules::nicLocation, location,
                     tr("\"para_plane_nic_location\" is \"%1\", but only \"device\" is supported.")
                         .arg(location.text()),
                     tr("Write \"device\"."));
    for (const JsonValue group : read.groups) {
        const auto devices = group["device_num"].integer();
        const auto servers = group["server_num"].integer();
        if (!devices || !servers || *servers < 1 || *devices < 1)
            continue; // checkShape() reports it.
        const qint64 average = *devices / *servers;
        const bool isAllowed = average == 1 || average == 2 || average == 4 || average == 8 || average == 16;
        if (*devices % *servers != 0 || !isAllowed)
            findings.add(rules::labDevices, group["device_num"],
                         tr("%1 devices on %2 servers: each server must have 1, 2, 4, 8 or 16.")
                             .arg(*devices)
                             .arg(*servers),
                         tr("Correct \"device_num\" or \"server_num\"."));
    }
}

/// A server needs its id and its devices, except in groups 0 and 1, MindIE's coordinator and controller.
static void checkInstance(const ReadTable &group, FindingCollector &findings)
{
    constexpr int lastGroupWithoutDevices = 1;
    const auto id = group.root["group_id"].integer();
    const bool mayHaveNone = id && *id <= lastGroupWithoutDevices;
    for (const ServerPlace &place : group.servers) {
        const bool isAddressAlone = !place.server["device"].exists() && place.server["server_ip"].exists();
        if (mayHaveNone && isAddressAlone)
            continue;
        for (const char *key : {"server_id", "device"}) {
            if (!place.server[key].exists())
                findings.add(rules::missingKey, place.server,
                             tr("\"%1\" is missing.").arg(QLatin1String(key)),
                             tr("Add it; only groups 0 and 1, MindIE's coordinator and controller, work "
                                "without."));
        }
    }
}

/// Checks each group of a global table as a job with ranks of its own.
static void checkRanksOfGroups(const ReadTable &read, FindingCollector &findings)
{
    for (std::size_t group = 0; group < read.groups.size(); ++group) {
        ReadTable part;
        part.root = read.groups[group];
        for (std::size_t index = 0; index < read.table.servers.size(); ++index) {
            if (read.table.servers[index].group == static_cast<int>(group)) {
                part.table.servers.push_back(read.table.servers[index]);
                part.servers.push_back(read.servers[index]);
            }
        }
        checkInstance(part, findings);
        checkRanks(part, findings);
    }
}

static QString versionOf(RankTableForm form)
{
    static const QHash<RankTableForm, QString> versions{{RankTableForm::ServerList, u"1.0"_s},
                                                        {RankTableForm::NodeList, u"1.1"_s},
                                                        {RankTableForm::SuperPodList, u"1.2"_s},
                                                        {RankTableForm::RankList, u"2.0"_s}};
    return versions.value(form);
}

static void checkVersion(const ReadTable &read, FindingCollector &findings)
{
    const RankTable &table = read.table;
    const JsonValue version = read.root["version"];
    const QString wanted = versionOf(table.form);
    if (!version.isString())
        return;
    if (table.form == RankTableForm::GroupList || table.form == RankTableForm::LabGroupList)
        findings.add(rules::version, version,
                     tr("A table with a version must have \"server_list\"; template 2 has no version."),
                     tr("Remove the version, or convert the table."));
    else if (!wanted.isEmpty() && table.version != wanted)
        findings.add(rules::version, version,
                     tr("Version \"%1\" does not fit this form, which is %2.")
                         .arg(table.version, formName(table.form)),
                     tr("Write \"%1\".").arg(wanted));
}

static void checkVersionOfChip(const ReadTable &read, Chip chip, FindingCollector &findings)
{
    const RankTableForm form = read.table.form;
    const bool isA5Form = form == RankTableForm::RankList;
    QString wanted;
    if (chip == Chip::A5 && !isA5Form)
        wanted = tr("An Ascend 950 accepts version 2.0 only.");
    else if (chip != Chip::A5 && chip != Chip::Unknown && isA5Form)
        wanted = tr("Version 2.0 is for the Ascend 950 only.");
    else if ((chip == Chip::A1 || chip == Chip::A2 || chip == Chip::Duo300I) &&
             form == RankTableForm::SuperPodList)
        wanted = tr("Version 1.2 is for super pods of the Ascend 910_93 only.");
    if (!wanted.isEmpty())
        findings.add(rules::versionOfChip, read.root.memberOrThis("version"), wanted,
                     tr("Generate the table again for this chip, or correct the chip."));
}

static void checkStatus(const ReadTable &read, FindingCollector &findings)
{
    const JsonValue status = read.root["status"];
    if (read.table.status == "initializing"_L1)
        findings.add(
            rules::initializing, status,
            tr("The table is still being written; the communication library waits up to 30 minutes for it."),
            tr("Wait until its status is \"completed\"."));
    else if (status.isString() && !read.table.isCompleted())
        findings.add(
            rules::status, status,
            tr("The status is \"%1\": the communication library waits for \"completed\" until it gives up.")
                .arg(read.table.status),
            tr("Write \"completed\"."));
    else if (!status.exists() && read.table.form == RankTableForm::RankList)
        findings.add(rules::missingStatus, read.root,
                     tr("\"status\" is missing; version 2.0 assumes that the table is completed."),
                     tr("Add \"status\": \"completed\"."));
}

static void checkCount(JsonValue parent, const char *key, qsizetype length, const QString &ofWhat,
                       FindingCollector &findings)
{
    const JsonValue value = parent[key];
    const auto count = value.integer();
    if (count && *count != length)
        findings.add(rules::count, value,
                     tr("\"%1\" is %2, but the number of %4 is %3.")
                         .arg(QLatin1String(key))
                         .arg(*count)
                         .arg(length)
                         .arg(ofWhat),
                     tr("Write %1.").arg(length));
}

static void checkServerCount(JsonValue parent, FindingCollector &findings)
{
    checkCount(parent, "server_count", parent["server_list"].size(), tr("servers"), findings);
}

static void checkGroupCounts(const ReadTable &read, FindingCollector &findings)
{
    checkCount(read.root, "group_count", read.root["group_list"].size(), tr("groups"), findings);
    std::vector<qsizetype> devices(read.groups.size());
    std::vector<QHash<QString, qsizetype>> servers(read.groups.size());
    for (const Server &server : read.table.servers) {
        devices[server.group] += static_cast<qsizetype>(server.devices.size());
        servers[server.group][server.serverId] += static_cast<qsizetype>(server.devices.size());
    }
    const bool isLab = read.table.form == RankTableForm::LabGroupList;
    for (std::size_t index = 0; index < read.groups.size(); ++index) {
        const JsonValue group = read.groups[index];
        if (group["device_count"].integer() == 0)
            continue;
        checkCount(group, "instance_count", group["instance_list"].size(), tr("instances"), findings);
        checkCount(group, isLab ? "device_num" : "device_count", devices[index], tr("devices"), findings);
        if (isLab)
            checkCount(group, "server_num", servers[index].size(), tr("servers"), findings);
    }
}

void checkGroups(const ReadTable &read, FindingCollector &findings)
{
    const RankTableForm form = read.table.form;
    if (form == RankTableForm::GroupList)
        checkPods(read, findings);
    else if (form == RankTableForm::LabGroupList)
        checkLab(read, findings);
    else if (form == RankTableForm::ServerGroupList)
        checkRanksOfGroups(read, findings);
}

void checkHeader(const ReadTable &read, const CheckOptions &options, FindingCollector &findings)
{
    checkVersion(read, findings);
    checkVersionOfChip(read, options.chip, findings);
    checkStatus(read, findings);
    // A table that is still being written may be short of its counts.
    if (read.table.status == "initializing"_L1)
        return;
    switch (read.table.form) {
    case RankTableForm::GroupList:
    case RankTableForm::LabGroupList:
        checkGroupCounts(read, findings);
        break;
    case RankTableForm::ServerList:
    case RankTableForm::SuperPodList:
        checkServerCount(read.root, findings);
        break;
    case RankTableForm::ServerGroupList:
        for (const JsonValue group : read.groups)
            checkServerCount(group, findings);
        break;
    case RankTableForm::RankList:
        checkCount(read.root, "rank_count", read.root["rank_list"].size(), tr("ranks"), findings);
        break;
    case RankTableForm::NodeList:
        break;
    }
}

} // namespace rankdeck
