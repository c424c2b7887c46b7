#include "ranktable/rules/rulewords.h"
#include "ranktable/rules/tablerules.h"

#include <QSet>

namespace rankdeck
{

namespace
{

bool endsWithNumber(const QString &podName)
{
    bool isNumber = false;
    podName.mid(podName.lastIndexOf(QLatin1Char('-')) + 1).toLongLong(&isNumber);
    return isNumber;
}

void checkPods(const ReadTable &read, FindingCollector &findings)
{
    QSet<QString> seen;
    for (std::size_t index = 0; index < read.table.servers.size(); ++index) {
        const QString &pod = read.table.servers[index].podName;
        const JsonValue place = read.servers[index].server["pod_name"];
        if (!place.isString())
            continue; // Said by the shape.
        if (seen.contains(pod))
            findings.add(rules::duplicatePod, place, ruleWords("Two instances are called \"%1\".").arg(pod),
                         ruleWords("Give each instance its own name."));
        seen.insert(pod);
        if (read.table.servers.size() > 1 && !endsWithNumber(pod))
            findings.add(
                rules::podNumber, place,
                ruleWords(
                    "\"%1\" does not end in '-' and a number, by which davincirun orders the instances.")
                    .arg(pod),
                ruleWords("Name the instances as the platform does, for example job-0 and job-1."));
    }
}

void checkLab(const ReadTable &read, FindingCollector &findings)
{
    const JsonValue location = read.root["para_plane_nic_location"];
    if (location.isString() && location.text() != QLatin1String("device"))
        findings.add(rules::nicLocation, location,
                     ruleWords("\"para_plane_nic_location\" is \"%1\", but only \"device\" is supported.")
                         .arg(location.text()),
                     ruleWords("Write \"device\"."));
    for (const JsonValue group : read.groups) {
        const auto devices = group["device_num"].integer();
        const auto servers = group["server_num"].integer();
        if (!devices || !servers || *servers < 1 || *devices < 1)
            continue; // Said by the shape.
        const qint64 average = *devices / *servers;
        const bool isAllowed = average == 1 || average == 2 || average == 4 || average == 8 || average == 16;
        if (*devices % *servers != 0 || !isAllowed)
            findings.add(rules::labDevices, group["device_num"],
                         ruleWords("%1 devices on %2 servers: each server must have 1, 2, 4, 8 or 16.")
                             .arg(*devices)
                             .arg(*servers),
                         ruleWords("Correct \"device_num\" or \"server_num\"."));
    }
}

/// Each group of a global table is a job with ranks of its own.
void checkRanksOfGroups(const ReadTable &read, FindingCollector &findings)
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
        checkRanks(part, findings);
    }
}

} // namespace

void checkGroups(const ReadTable &read, FindingCollector &findings)
{
    switch (read.table.form) {
    case RankTableForm::GroupList:
        checkPods(read, findings);
        break;
    case RankTableForm::LabGroupList:
        checkLab(read, findings);
        break;
    case RankTableForm::ServerGroupList:
        checkRanksOfGroups(read, findings);
        break;
    default:
        break;
    }
}

} // namespace rankdeck
