#include "ranktable/ranktableconversion.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

#include <nlohmann/json.hpp>

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
    if (table.form == RankTableForm::ServerList)
        return table;
    const auto ordered = orderInstances(table);
    if (!ordered)
        return ordered.error();

    RankTable converted;
    converted.status = QStringLiteral("completed");
    int nextRank = 0;
    for (const Server &instance : ordered->servers) {
        auto server = std::find_if(converted.servers.begin(), converted.servers.end(),
                                   [&](const Server &known) { return known.serverId == instance.serverId; });
        if (server == converted.servers.end()) {
            converted.servers.push_back({instance.serverId, {}, 0, {}});
            server = converted.servers.end() - 1;
        }
        for (Device device : instance.devices) {
            device.rank = Rank(nextRank++);
            server->devices.push_back(device);
        }
    }
    return converted;
}

QByteArray toJson(const RankTable &table)
{
    using Json = nlohmann::ordered_json;
    Json servers = Json::array();
    for (const Server &server : table.servers) {
        Json devices = Json::array();
        for (const Device &device : server.devices) {
            Json entry;
            entry["device_id"] = std::to_string(device.deviceId.value);
            if (!device.deviceIp.isEmpty())
                entry["device_ip"] = device.deviceIp.toStdString();
            entry["rank_id"] = std::to_string(device.rank.value_or(Rank()).value);
            devices.push_back(std::move(entry));
        }
        servers.push_back(Json{{"server_id", server.serverId.toStdString()}, {"device", std::move(devices)}});
    }
    const Json root{{"status", table.status.toStdString()},
                    {"version", "1.0"},
                    {"server_count", std::to_string(table.servers.size())},
                    {"server_list", std::move(servers)}};
    return QByteArray::fromStdString(root.dump(2)) + '\n';
}

Result<QString> writeRankTable(const QByteArray &content, const QString &path)
{
    const auto failed = [&](const QString &why) {
        return Error{tr("the rank table cannot be written: %1").arg(why), path,
                     tr("Name another place with --converted-rank-table.")};
    };
    const QString folder = QFileInfo(path).absolutePath();
    if (!QDir().mkpath(folder))
        return failed(tr("its folder cannot be made"));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit())
        return failed(file.errorString());
    return path;
}

} // namespace rankdeck
