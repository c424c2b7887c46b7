#include "ranktable/ranktablewriter.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

#include <nlohmann/json.hpp>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("RankTable", text);
}

} // namespace

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
