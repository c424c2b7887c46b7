#include "output.h"
#include "ranktable/actions.h"
#include "ranktable/ranktableconversion.h"
#include "ranktable/tableoutput.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("convertaction", text);
}

/// What stands before and behind the first '='. Error: one of them is empty.
Result<QPair<QString, QString>> halves(const QString &text, const char *option, const QString &mend)
{
    const QPair<QString, QString> pair{text.section(QLatin1Char('='), 0, 0),
                                       text.section(QLatin1Char('='), 1)};
    if (pair.first.isEmpty() || pair.second.isEmpty())
        return Error{tr("\"%1\" is not understood").arg(text), QLatin1String(option), mend};
    return pair;
}

Result<SuperPodIds> superPodIds(const Options &options)
{
    SuperPodIds ids;
    for (const QString &text : options.list("--super-pod")) {
        const auto pod = halves(text, "--super-pod", tr("Write it as ID=SERVER,SERVER."));
        if (!pod)
            return pod.error();
        std::vector<QString> servers;
        const QStringList names = pod->second.split(QLatin1Char(','), Qt::SkipEmptyParts);
        for (const QString &name : names)
            servers.push_back(name.trimmed());
        ids.superPods.push_back({pod->first, servers});
    }
    for (const QString &text : options.list("--super-device-id")) {
        const QString mend = tr("Write it as SERVER/DEVICE=ID.");
        const auto device = halves(text, "--super-device-id", mend);
        if (!device)
            return device.error();
        const qsizetype slash = device->first.lastIndexOf(QLatin1Char('/'));
        const auto id = parseNumber(device->first.mid(slash + 1), QStringLiteral("--super-device-id"), 0);
        if (slash <= 0 || !id)
            return Error{tr("\"%1\" is not understood").arg(text), QStringLiteral("--super-device-id"), mend};
        ids.superDeviceIds.insert({device->first.left(slash), *id}, device->second);
    }
    return ids;
}

/// The version to convert to. Error: one that there is no conversion to.
Result<QString> wantedVersion(const Options &options)
{
    const bool hasSuperPods =
        !options.list("--super-pod").isEmpty() || !options.list("--super-device-id").isEmpty();
    if (!options.hasValue("--to"))
        return hasSuperPods ? QStringLiteral("1.2") : QStringLiteral("1.0");
    const QString version = options.value("--to");
    if (version == QLatin1String("1.0") && hasSuperPods)
        return Error{tr("version 1.0 has no super pods"), QStringLiteral("--to"),
                     tr("Convert to 1.2, or leave --super-pod and --super-device-id out.")};
    if (version != QLatin1String("1.0") && version != QLatin1String("1.2"))
        return Error{tr("there is no conversion to \"%1\"").arg(version), QStringLiteral("--to"),
                     tr("Use 1.0 or 1.2.")};
    return version;
}

Result<RankTable> converted(const RankTable &table, const QString &version, const SuperPodIds &ids)
{
    if (version == QLatin1String("1.2"))
        return convertToSuperPodList(table, ids);
    auto result = convertToServerList(table);
    if (!result)
        return result;
    if (result->form != RankTableForm::ServerList)
        return Error{tr("%1 cannot become version 1.0").arg(formName(table.form)), {}, {}};
    result->version = version;
    return result;
}

} // namespace

int convertRankTableAction(const QStringList &arguments)
{
    const auto options = parseOptions(
        arguments, withOutputOptions({{},
                                      {QStringLiteral("--to")},
                                      {QStringLiteral("--super-pod"), QStringLiteral("--super-device-id")},
                                      1,
                                      1}));
    if (!options)
        return refuse(options.error());
    const auto version = wantedVersion(*options);
    if (!version)
        return refuse(version.error());
    const auto ids = superPodIds(*options);
    if (!ids)
        return refuse(ids.error());
    const QString path = options->positional.first();
    const auto table = readFinishedTable(path);
    if (!table)
        return refuse(table.error());
    const auto result = converted(*table, *version, *ids);
    if (!result)
        return refuse({result.error().what, path, result.error().mend});
    return writeResult({*result, QFileInfo(path).fileName(), *table, path}, *options);
}

} // namespace rankdeck
