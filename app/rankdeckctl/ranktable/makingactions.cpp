#include "launch/text/commandline.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/ranktable/tableoutput.h"
#include "ranktable/changes/ranktableconversion.h"
#include "ranktable/changes/ranktablegeneration.h"
#include "ranktable/changes/ranktablemerge.h"
#include "ranktable/changes/servingtable.h"
#include "sdk/distributedtrain.h"

#include <QFileInfo>

namespace rankdeck
{

static Result<GenerateRequest> requestOf(const Options &options)
{
    const QString list = options.hasValue("--devices") ? options.value("--devices") : u"[0,8)"_s;
    const auto devices = parseDeviceList(list);
    if (!devices)
        return Error{devices.error().what, u"--devices "_s + list, devices.error().mend};
    GenerateRequest request;
    request.devices = *devices;
    request.serverId = options.value("--server-id");
    for (const QString &ips : options.list("--device-ip")) {
        const QStringList parts = ips.split(','_L1);
        for (const QString &ip : parts)
            request.deviceIps << ip.trimmed();
    }
    request.withHostNicIp = options.has("--host-nic-ip");
    return request;
}

/// Returns the error with advice on the option that supplies the missing value.
static Error withOption(Error error)
{
    if (error.where == "device_ip"_L1)
        error.mend = tr("Run this on a host with NPUs, or give the addresses with --device-ip.");
    else if (error.where == "server_id"_L1)
        error.mend = tr("Give it with --server-id.");
    return error;
}

static void sayOrder(const MergedTable &merged)
{
    const bool isByServer = merged.order == MergeOrder::ServerId;
    say(isByServer ? tr("Ranks are numbered in the order of server_id, as MindSpore wants it.")
                   : tr("Ranks are numbered in the order of the arguments, as merge_hccl.py does."));
    if (!merged.ordersDiffer)
        return;
    say(isByServer ? tr("rankdeckctl: warning: merge_hccl.py numbers ranks in the order of the arguments "
                        "(--keep-order). Every host must use the same table.")
                   : tr("rankdeckctl: warning: MindSpore needs the order of server_id (without "
                        "--keep-order), which differs. Every host must use the same table."));
}

/// Returns the texts before and after the first '='. Fails if one of them is empty.
static Result<QPair<QString, QString>> halves(const QString &text, const char *option, const QString &mend)
{
    const QPair<QString, QString> pair{text.section('='_L1, 0, 0), text.section('='_L1, 1)};
    if (pair.first.isEmpty() || pair.second.isEmpty())
        return Error{tr("\"%1\" is not understood").arg(text), QLatin1String(option), mend};
    return pair;
}

static Result<SuperPodIds> superPodIds(const Options &options)
{
    SuperPodIds ids;
    for (const QString &text : options.list("--super-pod")) {
        const auto pod = halves(text, "--super-pod", tr("Write it as ID=SERVER,SERVER."));
        if (!pod)
            return pod.error();
        std::vector<QString> servers;
        const QStringList names = pod->second.split(','_L1, Qt::SkipEmptyParts);
        for (const QString &name : names)
            servers.push_back(name.trimmed());
        ids.superPods.push_back({pod->first, servers});
    }
    for (const QString &text : options.list("--super-device-id")) {
        const QString mend = tr("Write it as SERVER/DEVICE=ID.");
        const auto device = halves(text, "--super-device-id", mend);
        if (!device)
            return device.error();
        const qsizetype slash = device->first.lastIndexOf('/'_L1);
        const auto id = parseNumber(device->first.mid(slash + 1), u"--super-device-id"_s, 0);
        if (slash <= 0 || !id)
            return Error{tr("\"%1\" is not understood").arg(text), u"--super-device-id"_s, mend};
        ids.superDeviceIds.insert({device->first.left(slash), *id}, device->second);
    }
    return ids;
}

/// Returns the version to convert to. Fails if there is no conversion to it.
static Result<QString> wantedVersion(const Options &options)
{
    const bool hasSuperPods =
        !options.list("--super-pod").isEmpty() || !options.list("--super-device-id").isEmpty();
    if (!options.hasValue("--to"))
        return hasSuperPods ? u"1.2"_s : u"1.0"_s;
    const QString version = options.value("--to");
    if (version == "1.0"_L1 && hasSuperPods)
        return Error{tr("version 1.0 has no super pods"), u"--to"_s,
                     tr("Convert to 1.2, or leave --super-pod and --super-device-id out.")};
    if (version != "1.0"_L1 && version != "1.2"_L1)
        return Error{tr("cannot convert to version \"%1\"").arg(version), u"--to"_s, tr("Use 1.0 or 1.2.")};
    return version;
}

static Result<RankTable> converted(const RankTable &table, const QString &version, const SuperPodIds &ids)
{
    if (version == "1.2"_L1)
        return convertToSuperPodList(table, ids);
    auto result = convertToServerList(table);
    if (!result)
        return result;
    if (result->form != RankTableForm::ServerList)
        return Error{tr("%1 cannot become version 1.0").arg(formName(table.form)), {}, {}};
    result->version = version;
    return result;
}

/// Exit code when there is no table to initialise from.
constexpr int noTable = 3;

static int printExports(const QMap<QString, QString> &variables)
{
    for (auto it = variables.begin(); it != variables.end(); ++it) {
        if (visibleText(it.value()) != it.value())
            return refuse({tr("its value contains a control character: %1").arg(visibleText(it.value())),
                           it.key(),
                           tr("Correct the rank table, or read the variables with --null or --json.")});
    }
    for (auto it = variables.begin(); it != variables.end(); ++it)
        print(u"export %1=%2"_s.arg(it.key(), shellWord(it.value())));
    return 0;
}

static int printNullSeparated(const QMap<QString, QString> &variables)
{
    QByteArray bytes;
    for (auto it = variables.begin(); it != variables.end(); ++it)
        bytes += it.key().toUtf8() + '=' + it.value().toLocal8Bit() + '\0';
    printBytes(bytes);
    return 0;
}

/// Returns the table of this host that the options describe, and prints the attempts to find its addresses.
static Result<GeneratedTable> tableOfThisHost(const Options &options)
{
    const auto request = requestOf(options);
    if (!request)
        return request.error();
    auto generated = generateRankTableOfHost(*request);
    if (!generated)
        return withOption(generated.error());
    for (const QString &sentence : generated->lookedFor)
        say(visibleText(sentence));
    return generated;
}

static Result<std::vector<RankTable>> readFinishedTables(const QStringList &paths)
{
    std::vector<RankTable> tables;
    for (const QString &path : paths) {
        const auto table = readFinishedTable(path);
        if (!table)
            return table.error();
        tables.push_back(*table);
    }
    return tables;
}

/// Returns the table whose devices a service gets: of the given files, else of this host.
static Result<RankTable> tableToServe(const Options &options)
{
    if (options.positional.isEmpty()) {
        const auto generated = tableOfThisHost(options);
        return generated ? Result<RankTable>(generated->table) : generated.error();
    }
    for (const char *option : {"--devices", "--server-id", "--device-ip", "--host-nic-ip"}) {
        if (options.has(option))
            return Error{
                tr("%1 is for this host's NPUs, but a rank table is given").arg(QLatin1String(option)),
                {},
                tr("Leave one of them out.")};
    }
    const auto tables = readFinishedTables(options.positional);
    if (!tables)
        return tables.error();
    if (tables->size() == 1)
        return convertToServerList(tables->front());
    const auto merged = mergeRankTables(*tables, options.positional, MergeOrder::AsGiven);
    return merged ? Result<RankTable>(merged->table) : merged.error();
}

static Result<ServingRequest> servingRequestOf(const Options &options)
{
    ServingRequest request;
    request.coordinator = options.value("--coordinator");
    request.controller = options.value("--controller");
    for (const auto &[option, value] :
         {std::pair("--prefill", &request.prefill), std::pair("--decode", &request.decode),
          std::pair("--prefill-devices", &request.prefillDevices),
          std::pair("--decode-devices", &request.decodeDevices)}) {
        const auto number = options.number(option, 1, *value);
        if (!number)
            return number.error();
        *value = *number;
    }
    if (!options.hasValue("--prefill") || !options.hasValue("--decode"))
        return Error{tr("a table for serving needs --prefill and --decode"),
                     {},
                     tr("Give the number of instances of each, e.g. --prefill 2 --decode 2.")};
    return request;
}

static int generateServingTable(const Options &options)
{
    const auto request = servingRequestOf(options);
    if (!request)
        return refuse(request.error());
    const auto table = tableToServe(options);
    if (!table)
        return refuse(table.error());
    const auto serving = servingTable(*table, *request);
    if (!serving)
        return refuse(serving.error());
    if (!serving->sharedServers.isEmpty())
        say(tr("rankdeckctl: warning: several instances share %1. MindIE expects a server_ip of its own for "
               "each instance, e.g. its container's.")
                .arg(visibleText(serving->sharedServers.join(", "_L1))));
    const QString name = u"global_ranktable_%1p%2d.json"_s.arg(request->prefill).arg(request->decode);
    return writeResult({serving->table, name}, options);
}

int generateRankTableAction(const Options &options)
{
    for (const char *option : {"--prefill", "--decode", "--prefill-devices", "--decode-devices",
                               "--coordinator", "--controller"}) {
        if (options.hasValue(option))
            return generateServingTable(options);
    }
    if (!options.positional.isEmpty())
        return refuse({tr("a rank table is given, but not what to make of it"), options.positional.first(),
                       tr("Give --prefill and --decode for a table for serving, or use ranktable convert.")});
    const auto generated = tableOfThisHost(options);
    if (!generated)
        return refuse(generated.error());
    return writeResult({generated->table, generated->fileName}, options);
}

int mergeRankTablesAction(const Options &options)
{
    const auto tables = readFinishedTables(options.positional);
    if (!tables)
        return refuse(tables.error());
    const MergeOrder order = options.has("--keep-order") ? MergeOrder::AsGiven : MergeOrder::ServerId;
    const auto merged = mergeRankTables(*tables, options.positional, order);
    if (!merged)
        return refuse(merged.error());
    sayOrder(*merged);
    return writeResult(
        {merged->table, mergedFileName(merged->table), tables->front(), options.positional.first()}, options);
}

int subsetOfRankTableAction(const Options &options)
{
    const QStringList servers = options.list("--server");
    std::vector<DeviceId> devices;
    if (options.hasValue("--devices")) {
        const auto list = parseDeviceList(options.value("--devices"));
        if (!list)
            return refuse({list.error().what, u"--devices "_s + list.error().where, list.error().mend});
        devices = *list;
    }
    if (devices.empty() && servers.isEmpty())
        return refuse(
            {tr("the devices or servers to keep are missing"), {}, tr("Give --devices, --server or both.")});
    const QString path = options.positional.first();
    const auto table = readFinishedTable(path);
    if (!table)
        return refuse(table.error());
    const auto subset = subsetOfRankTable(*table, devices, servers);
    if (!subset)
        return refuse({subset.error().what, path, subset.error().mend});
    return writeResult({*subset, QFileInfo(path).fileName(), *table, path}, options);
}

int convertRankTableAction(const Options &options)
{
    const auto version = wantedVersion(options);
    if (!version)
        return refuse(version.error());
    const auto ids = superPodIds(options);
    if (!ids)
        return refuse(ids.error());
    const QString path = options.positional.first();
    const auto table = readFinishedTable(path);
    if (!table)
        return refuse(table.error());
    const auto result = converted(*table, *version, *ids);
    if (!result)
        return refuse({result.error().what, path, result.error().mend});
    return writeResult({*result, QFileInfo(path).fileName(), *table, path}, options);
}

int initRankTableAction(const Options &options)
{
    if (options.has("--json") && options.has("--null"))
        return refuse({tr("--json and --null cannot be combined"), {}, tr("Use one of them.")});
    const auto rankTable = generateRankTable(options.value("--server"));
    if (!rankTable)
        return refuse(rankTable.error());
    if (!*rankTable) {
        say(tr("rankdeckctl: no rank table, so nothing is set."));
        return noTable;
    }
    say(visibleText((*rankTable)->whyThisServer));
    const QMap<QString, QString> variables = rankVariables(**rankTable);
    if (options.has("--json")) {
        print(visibleJson(jsonTextOf(variables, 2)));
        return 0;
    }
    return options.has("--null") ? printNullSeparated(variables) : printExports(variables);
}

} // namespace rankdeck
