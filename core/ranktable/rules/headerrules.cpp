#include "ranktable/rules/rulewords.h"
#include "ranktable/rules/tablerules.h"

#include <QHash>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString versionOf(RankTableForm form)
{
    switch (form) {
    case RankTableForm::ServerList:
        return QStringLiteral("1.0");
    case RankTableForm::NodeList:
        return QStringLiteral("1.1");
    case RankTableForm::SuperPodList:
        return QStringLiteral("1.2");
    case RankTableForm::RankList:
        return QStringLiteral("2.0");
    case RankTableForm::GroupList:
    case RankTableForm::LabGroupList:
    case RankTableForm::ServerGroupList:
        break;
    }
    return {};
}

void checkVersion(const ReadTable &read, FindingCollector &findings)
{
    const RankTable &table = read.table;
    const JsonValue version = read.root["version"];
    const QString wanted = versionOf(table.form);
    if (!version.isString())
        return;
    if (table.form == RankTableForm::GroupList || table.form == RankTableForm::LabGroupList)
        findings.add(
            rules::version, version,
            ruleWords("A table with a version must have \"server_list\"; template 2 has no version."),
            ruleWords("Take the version out, or convert the table."));
    else if (!wanted.isEmpty() && table.version != wanted)
        findings.add(rules::version, version,
                     ruleWords("Version \"%1\" does not fit this form, which is %2.")
                         .arg(table.version, formName(table.form)),
                     ruleWords("Write \"%1\".").arg(wanted));
}

void checkVersionOfChip(const ReadTable &read, Chip chip, FindingCollector &findings)
{
    const RankTableForm form = read.table.form;
    const bool isA5Form = form == RankTableForm::RankList;
    QString wanted;
    if (chip == Chip::A5 && !isA5Form)
        wanted = ruleWords("An Ascend 950 accepts version 2.0 only.");
    else if (chip != Chip::A5 && chip != Chip::Unknown && isA5Form)
        wanted = ruleWords("Version 2.0 is for the Ascend 950 only.");
    else if ((chip == Chip::A1 || chip == Chip::A2 || chip == Chip::Duo300I) &&
             form == RankTableForm::SuperPodList)
        wanted = ruleWords("Version 1.2 is for super pods of the Ascend 910_93 only.");
    if (!wanted.isEmpty())
        findings.add(rules::versionOfChip, read.root["version"].exists() ? read.root["version"] : read.root,
                     wanted, ruleWords("Generate the table anew for this chip, or correct the chip."));
}

void checkStatus(const ReadTable &read, FindingCollector &findings)
{
    const JsonValue status = read.root["status"];
    if (read.table.status == QLatin1String("initializing"))
        findings.add(
            rules::initializing, status,
            ruleWords(
                "The table is still being written; the communication library waits up to 30 minutes for it."),
            ruleWords("Wait until its status is \"completed\"."));
    else if (status.isString() && !read.table.isCompleted())
        findings.add(
            rules::status, status,
            ruleWords(
                "The status is \"%1\": the communication library waits for \"completed\" until it gives up.")
                .arg(read.table.status),
            ruleWords("Write \"completed\"."));
    else if (!status.exists() && read.table.form == RankTableForm::RankList)
        findings.add(rules::missingStatus, read.root,
                     ruleWords("\"status\" is missing; version 2.0 takes it as completed."),
                     ruleWords("Add \"status\": \"completed\"."));
}

void checkCount(JsonValue parent, const char *key, qsizetype length, const QString &ofWhat,
                FindingCollector &findings)
{
    const JsonValue value = parent[key];
    const auto count = value.integer();
    if (count && *count != length)
        findings.add(rules::count, value,
                     ruleWords("\"%1\" is %2, but the number of %4 is %3.")
                         .arg(QLatin1String(key))
                         .arg(*count)
                         .arg(length)
                         .arg(ofWhat),
                     ruleWords("Write %1.").arg(length));
}

void checkServerCount(JsonValue parent, FindingCollector &findings)
{
    checkCount(parent, "server_count", parent["server_list"].size(), ruleWords("servers"), findings);
}

void checkGroupCounts(const ReadTable &read, FindingCollector &findings)
{
    checkCount(read.root, "group_count", read.root["group_list"].size(), ruleWords("groups"), findings);
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
        checkCount(group, "instance_count", group["instance_list"].size(), ruleWords("instances"), findings);
        checkCount(group, isLab ? "device_num" : "device_count", devices[index], ruleWords("devices"),
                   findings);
        if (isLab)
            checkCount(group, "server_num", servers[index].size(), ruleWords("servers"), findings);
    }
}

} // namespace

void checkHeader(const ReadTable &read, const CheckOptions &options, FindingCollector &findings)
{
    checkVersion(read, findings);
    checkVersionOfChip(read, options.chip, findings);
    checkStatus(read, findings);
    // What is still being written may be short of its counts.
    if (read.table.status == QLatin1String("initializing"))
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
        checkCount(read.root, "rank_count", read.root["rank_list"].size(), ruleWords("ranks"), findings);
        break;
    case RankTableForm::NodeList:
        break;
    }
}

} // namespace rankdeck
