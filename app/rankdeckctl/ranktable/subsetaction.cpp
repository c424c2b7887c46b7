#include "output.h"
#include "ranktable/actions.h"
#include "ranktable/ranktablesubset.h"
#include "ranktable/tableoutput.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace rankdeck
{

int subsetOfRankTableAction(const QStringList &arguments)
{
    const auto options = parseOptions(
        arguments,
        withOutputOptions({{}, {QStringLiteral("--devices")}, {QStringLiteral("--server")}, 1, 1}));
    if (!options)
        return refuse(options.error());
    const QStringList servers = options->list("--server");
    std::vector<DeviceId> devices;
    if (options->hasValue("--devices")) {
        const auto list = parseDeviceList(options->value("--devices"));
        if (!list)
            return refuse(
                {list.error().what, QStringLiteral("--devices ") + list.error().where, list.error().mend});
        devices = *list;
    }
    if (devices.empty() && servers.isEmpty())
        return refuse({QCoreApplication::translate("subsetaction", "nothing says what to keep"),
                       {},
                       QCoreApplication::translate("subsetaction", "Give --devices, --server or both.")});
    const QString path = options->positional.first();
    const auto table = readFinishedTable(path);
    if (!table)
        return refuse(table.error());
    const auto subset = subsetOfRankTable(*table, devices, servers);
    if (!subset)
        return refuse({subset.error().what, path, subset.error().mend});
    return writeResult({*subset, QFileInfo(path).fileName(), *table, path}, *options);
}

} // namespace rankdeck
