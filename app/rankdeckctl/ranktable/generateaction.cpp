#include "output.h"
#include "ranktable/actions.h"
#include "ranktable/ranktablegeneration.h"
#include "ranktable/ranktablesubset.h"
#include "ranktable/tableoutput.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("generateaction", text);
}

Result<GenerateRequest> requestOf(const Options &options)
{
    const QString list = options.hasValue("--devices") ? options.value("--devices") : QStringLiteral("[0,8)");
    const auto devices = parseDeviceList(list);
    if (!devices)
        return Error{devices.error().what, QStringLiteral("--devices ") + list, devices.error().mend};
    GenerateRequest request;
    request.devices = *devices;
    request.serverId = options.value("--server-id");
    for (const QString &ips : options.list("--device-ip")) {
        const QStringList parts = ips.split(QLatin1Char(','));
        for (const QString &ip : parts)
            request.deviceIps << ip.trimmed();
    }
    request.withHostNicIp = options.has("--host-nic-ip");
    return request;
}

/// The error, mended by the option that gives what was not found.
Error withOption(Error error)
{
    if (error.where == QLatin1String("device_ip"))
        error.mend = tr("Run this on a host with NPUs, or give the addresses with --device-ip.");
    else if (error.where == QLatin1String("server_id"))
        error.mend = tr("Give it with --server-id.");
    return error;
}

} // namespace

int generateRankTableAction(const QStringList &arguments)
{
    const auto options =
        parseOptions(arguments, {{QStringLiteral("--host-nic-ip"), QStringLiteral("--force")},
                                 {QStringLiteral("--devices"), QStringLiteral("--server-id"),
                                  QStringLiteral("-o"), QStringLiteral("--output")},
                                 {QStringLiteral("--device-ip")},
                                 0,
                                 0});
    if (!options)
        return refuse(options.error());
    const auto request = requestOf(*options);
    if (!request)
        return refuse(request.error());
    const auto generated = generateRankTableOfHost(*request);
    if (!generated)
        return refuse(withOption(generated.error()));
    for (const QString &sentence : generated->lookedFor)
        say(visibleText(sentence));
    return writeResult({generated->table, generated->fileName}, *options);
}

} // namespace rankdeck
