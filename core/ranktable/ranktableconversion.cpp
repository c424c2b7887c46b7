#include "ranktable/ranktableconversion.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("RankTable", text);
}

std::optional<qlonglong> podNumber(const QString &podName)
{
    bool isNumber = false;
    const qlonglong number = podName.mid(podName.lastIndexOf(QLatin1Char('-')) + 1).toLongLong(&isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

} // namespace

Result<RankTable> orderInstances(const RankTable &table)
{
    RankTable ordered = table;
    const auto firstGroupEnd = std::find_if(ordered.servers.begin(), ordered.servers.end(),
                                            [](const Server &server) { return server.group != 0; });
    const bool orderMatters = std::distance(ordered.servers.begin(), firstGroupEnd) > 1;
    if (table.form != RankTableForm::GroupList || !orderMatters)
        return ordered;

    const auto unnumbered = std::find_if(ordered.servers.begin(), firstGroupEnd, [](const Server &server) {
        return !podNumber(server.podName).has_value();
    });
    if (unnumbered != firstGroupEnd)
        return Error{
            tr("pod_name \"%1\" does not end in '-' and a number, so the order of the instances is unknown")
                .arg(unnumbered->podName),
            {},
            tr("Name the instances as the platform does, for example job-0 and job-1.")};
    std::stable_sort(ordered.servers.begin(), firstGroupEnd, [](const Server &left, const Server &right) {
        return podNumber(left.podName) < podNumber(right.podName);
    });
    return ordered;
}

Result<RankTable> convertToServerList(const RankTable &table)
{
    if (table.form != RankTableForm::GroupList)
        return table;
    const auto ordered = orderInstances(table);
    if (!ordered)
        return ordered.error();

    RankTable converted;
    converted.version = QStringLiteral("1.0");
    converted.status = QStringLiteral("completed");
    int nextRank = 0;
    for (const Server &instance : ordered->servers) {
        auto server = std::find_if(converted.servers.begin(), converted.servers.end(),
                                   [&](const Server &known) { return known.serverId == instance.serverId; });
        if (server == converted.servers.end()) {
            converted.servers.push_back({instance.serverId});
            server = converted.servers.end() - 1;
        }
        for (Device device : instance.devices) {
            device.rank = Rank(nextRank++);
            server->devices.push_back(device);
        }
    }
    return converted;
}

} // namespace rankdeck
