#include "ranktable/ranktablegeneration.h"

#include "ranktable/deviceaddresses.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QNetworkInterface>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("RankTable", text);
}

/// The address under which other hosts most likely know this one.
QString addressOfThisHost()
{
    const auto interfaces = QNetworkInterface::allInterfaces();
    for (const QNetworkInterface &interface : interfaces) {
        if (!interface.flags().testFlag(QNetworkInterface::IsUp))
            continue;
        const auto entries = interface.addressEntries();
        for (const QNetworkAddressEntry &entry : entries) {
            const QHostAddress address = entry.ip();
            if (address.protocol() == QAbstractSocket::IPv4Protocol && address.isGlobal())
                return address.toString();
        }
    }
    return {};
}

/// As hccl_tools.py: how many devices, which, and whose.
QString generatedFileName(const std::vector<DeviceId> &devices, QString serverId)
{
    QString ids;
    for (const DeviceId device : devices)
        ids += QString::number(device.value);
    serverId.replace(QLatin1Char('/'), QLatin1Char('_'));
    return QStringLiteral("hccl_%1p_%2_%3.json").arg(devices.size()).arg(ids, serverId);
}

std::optional<Error> badRequest(const GenerateRequest &request)
{
    if (request.devices.empty())
        return Error{tr("no device is chosen"), {}, tr("Choose at least one, such as 0-7.")};
    const auto ipCount = static_cast<std::size_t>(request.deviceIps.size());
    if (ipCount != 0 && ipCount != request.devices.size())
        return Error{
            tr("there are %1 device addresses for %2 devices").arg(ipCount).arg(request.devices.size()),
            {},
            tr("Give one address for each device.")};
    for (const QString &ip : request.deviceIps) {
        if (QHostAddress(ip).isNull())
            return Error{tr("this is no IP address"), ip, tr("Write it like 192.0.2.10.")};
    }
    return {};
}

} // namespace

Result<GeneratedTable> generateRankTableOfHost(const GenerateRequest &request, const AddressSources &sources,
                                               const std::function<bool()> &isCancelled)
{
    if (const auto error = badRequest(request))
        return *error;
    Server server{request.serverId.isEmpty() ? addressOfThisHost() : request.serverId};
    if (server.serverId.isEmpty())
        return Error{tr("this host has no IPv4 address to be its server_id"), QStringLiteral("server_id"),
                     tr("Give one.")};
    if (request.withHostNicIp)
        server.otherKeys = R"({"host_nic_ip":"reserve"})";

    GeneratedTable generated;
    DeviceAddresses addresses(sources);
    for (std::size_t index = 0; index < request.devices.size(); ++index) {
        if (isCancelled && isCancelled())
            return Error{tr("looking for device addresses was cancelled"), {}, {}};
        const DeviceId device = request.devices[index];
        const QString ip = request.deviceIps.isEmpty() ? addresses.find(device)
                                                       : request.deviceIps[static_cast<qsizetype>(index)];
        generated.lookedFor = addresses.lookedFor();
        if (ip.isEmpty())
            return Error{tr("no address of device %1 was found. %2")
                             .arg(device.value)
                             .arg(generated.lookedFor.join(QLatin1Char(' '))),
                         QStringLiteral("device_ip"),
                         tr("Run this on a host with NPUs, or give the address of every device.")};
        server.devices.push_back({device, ip, Rank(static_cast<int>(index))});
    }
    generated.fileName = generatedFileName(request.devices, server.serverId);
    generated.table.version = QStringLiteral("1.0");
    generated.table.status = QStringLiteral("completed");
    generated.table.servers.push_back(std::move(server));
    return generated;
}

} // namespace rankdeck
