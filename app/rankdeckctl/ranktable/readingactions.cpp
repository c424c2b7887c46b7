#include "base/listcomma.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/ranktable/tableoutput.h"
#include "ranktable/rules/ranktablecheck.h"

#include <QHash>
#include <QSet>

namespace rankdeck
{

namespace
{

constexpr int hasErrorsCode = 1;

/// Whether nothing of the file could be understood.
bool isUnreadable(const Result<CheckReport> &report)
{
    if (!report)
        return true;
    return report->unusable && report->table.servers.empty() &&
           std::ranges::any_of(report->findings, [](const Finding &finding) {
               return finding.severity == Severity::Error && finding.rule.startsWith("json-"_L1);
           });
}

int exitCodeOf(const Result<CheckReport> &report)
{
    if (isUnreadable(report))
        return unusableInput;
    return report->hasErrors() || report->unusable ? hasErrorsCode : 0;
}

void printReport(const QString &file, const Result<CheckReport> &report)
{
    if (!report) {
        refuse(report.error());
        return;
    }
    QStringList lines;
    QSet<QString> explained;
    for (const Finding &finding : report->findings) {
        lines << findingLine(file, finding);
        if (finding.source.isEmpty() || explained.contains(finding.rule))
            continue;
        explained.insert(finding.rule);
        lines << u"    "_s + visibleText(finding.source);
    }
    lines << withColon(visibleText(file), countWords(report->findings));
    print(lines.join('\n'_L1));
}

JsonText findingJson(const Finding &finding)
{
    return {{"severity", severityName(finding.severity)},
            {"rule", finding.rule},
            {"pointer", finding.pointer},
            {"line", finding.line},
            {"column", finding.column},
            {"what", finding.what},
            {"mend", finding.mend},
            {"source", finding.source},
            {"code", finding.code}};
}

JsonText reportJson(const QString &file, const Result<CheckReport> &report)
{
    if (!report)
        return {{"file", file},
                {"form", {}},
                {"servers", 0},
                {"devices", 0},
                {"unusable", report.error().sentence()},
                {"findings", QList<JsonText>()}};
    return {{"file", file},
            {"form", isUnreadable(report) ? JsonText() : formName(report->table.form)},
            {"servers", report->table.servers.size()},
            {"devices", report->table.deviceCount()},
            {"unusable", report->unusable ? JsonText(report->unusable->sentence()) : JsonText()},
            {"findings", JsonText::list(report->findings, findingJson)}};
}

/// The super pod of each server that has one, by group and id: a global table has super pods for each of its
/// jobs.
using PodsOfServers = QHash<QPair<int, QString>, QString>;

PodsOfServers superPodsOf(const RankTable &table)
{
    PodsOfServers pods;
    for (const SuperPod &pod : table.superPods) {
        for (const QString &serverId : pod.serverIds)
            pods.insert({pod.group, serverId}, pod.superPodId);
    }
    return pods;
}

std::optional<QString> groupOf(const RankTable &table, const Server &server)
{
    const auto index = std::size_t(std::max(server.group, 0));
    if (index >= table.groups.size() || table.groups[index].name.isEmpty())
        return {};
    return table.groups[index].name;
}

QString headingOf(const RankTable &table, const Server &server, const PodsOfServers &superPods)
{
    QStringList parts{server.serverId};
    if (!server.podName.isEmpty())
        parts << tr("pod %1").arg(server.podName);
    if (const auto group = groupOf(table, server))
        parts << tr("group %1").arg(*group);
    if (const auto pod = superPods.constFind({server.group, server.serverId}); pod != superPods.cend())
        parts << tr("super pod %1").arg(*pod);
    parts << tr("%n devices", "%n device", int(server.devices.size()));
    return visibleText(parts.join(listComma()));
}

/// Returns the servers of a table, each with its devices; columns are as wide in all of them.
QString serversText(const RankTable &table)
{
    QList<QStringList> rows{{{}, tr("RANK"), tr("DEVICE"), tr("DEVICE IP"), {}}};
    for (const Server &server : table.servers) {
        for (const Device &device : server.devices) {
            rows << QStringList{{},
                                device.rank ? QString::number(device.rank->value) : u"-"_s,
                                device.deviceId == Device::host ? tr("host")
                                                                : QString::number(device.deviceId.value),
                                device.deviceIp.isEmpty() ? u"-"_s : visibleText(device.deviceIp),
                                visibleText(device.superDeviceId)};
            if (!device.superDeviceId.isEmpty())
                rows[0].last() = tr("SUPER DEVICE");
        }
    }
    const QStringList lines = tableLines(rows, "lrrll");
    const PodsOfServers superPods = superPodsOf(table);
    QStringList text;
    qsizetype next = 1;
    for (const Server &server : table.servers) {
        const auto count = qsizetype(server.devices.size());
        text << QString() << headingOf(table, server, superPods) << lines.first() << lines.mid(next, count);
        next += count;
    }
    return text.join('\n'_L1);
}

JsonText deviceJson(const Device &device)
{
    JsonText json{{"rank", device.rank},
                  {"device_id", device.deviceId == Device::host ? JsonText() : JsonText(device.deviceId)},
                  {"device_ip", device.deviceIp}};
    json.insertUnlessEmpty("super_device_id", device.superDeviceId);
    return json;
}

JsonText tableJson(const QString &file, const RankTable &table)
{
    const PodsOfServers superPods = superPodsOf(table);
    const JsonText servers = JsonText::list(table.servers, [&](const Server &server) {
        JsonText json{{"server_id", server.serverId},
                      {"devices", JsonText::list(server.devices, deviceJson)}};
        json.insertUnlessEmpty("pod_name", server.podName);
        if (const auto group = groupOf(table, server))
            json.insert("group", *group);
        if (const auto pod = superPods.constFind({server.group, server.serverId}); pod != superPods.cend())
            json.insert("super_pod_id", *pod);
        return json;
    });
    return {{"file", file},
            {"form", formName(table.form)},
            {"version", table.version},
            {"status", table.status},
            {"server_count", table.servers.size()},
            {"device_count", table.deviceCount()},
            {"servers", servers}};
}

} // namespace

int checkRankTablesAction(const Options &options)
{
    CheckOptions check;
    if (options.hasValue("--chip")) {
        const auto chip = chipFromName(options.value("--chip"));
        if (!chip)
            return refuse({chip.error().what, u"--chip"_s, chip.error().mend});
        check.chip = *chip;
    }
    int code = 0;
    QList<JsonText> files;
    for (const QString &file : options.positional) {
        const auto missing = missingFile(file);
        const auto report = missing ? Result<CheckReport>(*missing) : checkRankTableFile(file, check);
        code = std::max(code, exitCodeOf(report));
        if (options.has("--json"))
            files << reportJson(file, report);
        else
            printReport(file, report);
    }
    if (options.has("--json"))
        printJson({{"files", files}});
    return code;
}

int showRankTableAction(const Options &options)
{
    const QString file = options.positional.first();
    if (const auto error = missingFile(file))
        return refuse(*error);
    const auto report = checkRankTableFile(file);
    if (!report)
        return refuse(report.error());
    if (report->unusable && report->table.servers.empty())
        return refuse(*report->unusable);
    if (options.has("--json")) {
        printJson(tableJson(file, report->table));
        return 0;
    }
    const RankTable &table = report->table;
    const QStringList words{formName(table.form),
                            table.status.isEmpty() ? tr("no status") : tr("status %1").arg(table.status),
                            tr("%n servers", "%n server", int(table.servers.size())),
                            tr("%n devices", "%n device", table.deviceCount())};
    print(visibleText(withColon(file, words.join(listComma()))) + serversText(table).prepend('\n'_L1));
    if (report->hasErrors())
        say(tr("%1: %2; see rankdeckctl ranktable check")
                .arg(visibleText(file), countWords(report->findings)));
    return 0;
}

} // namespace rankdeck
