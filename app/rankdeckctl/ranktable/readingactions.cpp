#include "json.h"
#include "options.h"
#include "output.h"
#include "ranktable/actions.h"
#include "ranktable/findingtext.h"
#include "ranktable/ranktablecheck.h"
#include "ranktable/tableoutput.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

QString tr(const char *text)
{
    return QCoreApplication::translate("showaction", text);
}

/// Which super pod a server is in; a global table has super pods for each of its jobs.
class SuperPodIndex
{
public:
    explicit SuperPodIndex(const RankTable &table)
    {
        for (const SuperPod &pod : table.superPods) {
            for (const QString &serverId : pod.serverIds)
                m_pods.insert({pod.group, serverId}, pod.superPodId);
        }
    }
    std::optional<QString> podOf(const Server &server) const
    {
        const auto found = m_pods.constFind({server.group, server.serverId});
        return found == m_pods.constEnd() ? std::nullopt : std::optional(*found);
    }

private:
    QHash<QPair<int, QString>, QString> m_pods;
};

std::optional<QString> groupOf(const RankTable &table, const Server &server)
{
    const auto index = static_cast<std::size_t>(std::max(server.group, 0));
    if (index >= table.groups.size() || table.groups[index].name.isEmpty())
        return {};
    return table.groups[index].name;
}

QString counted(qsizetype count, const QString &one, const QString &many)
{
    return count == 1 ? one : many.arg(count);
}

enum Column { RankColumn, DeviceColumn, IpColumn, SuperDeviceColumn, ColumnCount };
using Cells = std::array<QString, ColumnCount>;

Cells cellsOf(const Device &device)
{
    return {device.rank ? QString::number(device.rank->value) : QStringLiteral("-"),
            device.deviceId == Device::host ? tr("host") : QString::number(device.deviceId.value),
            device.deviceIp.isEmpty() ? QStringLiteral("-") : visibleText(device.deviceIp),
            visibleText(device.superDeviceId)};
}

class TablePrinter
{
public:
    explicit TablePrinter(const RankTable &table)
        : m_table(table)
        , m_superPods(table)
        , m_header{tr("RANK"), tr("DEVICE"), tr("DEVICE IP"), tr("SUPER DEVICE")}
    {
        for (std::size_t column = 0; column < ColumnCount; ++column)
            m_widths[column] = m_header[column].size();
        for (const Server &server : table.servers) {
            for (const Device &device : server.devices) {
                const Cells cells = cellsOf(device);
                for (std::size_t column = 0; column < ColumnCount; ++column)
                    m_widths[column] = std::max(m_widths[column], cells[column].size());
                m_hasSuperDevices = m_hasSuperDevices || !device.superDeviceId.isEmpty();
            }
        }
    }

    QString text() const
    {
        QStringList lines;
        for (const Server &server : m_table.servers) {
            lines << QString() << heading(server) << row(m_header);
            for (const Device &device : server.devices)
                lines << row(cellsOf(device));
        }
        return lines.join(QLatin1Char('\n'));
    }

private:
    QString heading(const Server &server) const
    {
        QStringList parts{server.serverId};
        if (!server.podName.isEmpty())
            parts << tr("pod %1").arg(server.podName);
        if (const auto group = groupOf(m_table, server))
            parts << tr("group %1").arg(*group);
        if (const auto pod = m_superPods.podOf(server))
            parts << tr("super pod %1").arg(*pod);
        parts << counted(static_cast<qsizetype>(server.devices.size()), tr("1 device"), tr("%1 devices"));
        return visibleText(parts.join(QStringLiteral(", ")));
    }

    QString row(const Cells &cells) const
    {
        QString line = QStringLiteral("  %1  %2  %3")
                           .arg(cells[RankColumn].rightJustified(m_widths[RankColumn]),
                                cells[DeviceColumn].rightJustified(m_widths[DeviceColumn]),
                                cells[IpColumn].leftJustified(m_widths[IpColumn]));
        if (m_hasSuperDevices)
            line += QStringLiteral("  ") + cells[SuperDeviceColumn];
        while (line.endsWith(QLatin1Char(' ')))
            line.chop(1);
        return line;
    }

    const RankTable &m_table;
    SuperPodIndex m_superPods;
    Cells m_header;
    std::array<qsizetype, ColumnCount> m_widths{};
    bool m_hasSuperDevices = false;
};

QString headOf(const QString &file, const RankTable &table)
{
    return visibleText(
        QStringLiteral("%1: %2, %3, %4, %5")
            .arg(file, formName(table.form),
                 table.status.isEmpty() ? tr("no status") : tr("status %1").arg(table.status),
                 counted(static_cast<qsizetype>(table.servers.size()), tr("1 server"), tr("%1 servers")),
                 counted(table.deviceCount(), tr("1 device"), tr("%1 devices"))));
}

Json toJson(const Device &device)
{
    Json entry{{"rank", nullptr}, {"device_id", nullptr}, {"device_ip", device.deviceIp}};
    if (device.rank)
        entry["rank"] = device.rank->value;
    if (device.deviceId != Device::host)
        entry["device_id"] = device.deviceId.value;
    if (!device.superDeviceId.isEmpty())
        entry["super_device_id"] = device.superDeviceId;
    return entry;
}

Json toJson(const QString &file, const RankTable &table)
{
    const SuperPodIndex superPods(table);
    Json servers = Json::array();
    for (const Server &server : table.servers) {
        Json entry{{"server_id", server.serverId}};
        if (!server.podName.isEmpty())
            entry["pod_name"] = server.podName;
        if (const auto group = groupOf(table, server))
            entry["group"] = *group;
        if (const auto pod = superPods.podOf(server))
            entry["super_pod_id"] = *pod;
        entry["devices"] = Json::array();
        for (const Device &device : server.devices)
            entry["devices"].push_back(toJson(device));
        servers.push_back(std::move(entry));
    }
    return {{"file", file},
            {"form", formName(table.form)},
            {"version", table.version},
            {"status", table.status},
            {"server_count", table.servers.size()},
            {"device_count", table.deviceCount()},
            {"servers", std::move(servers)}};
}

} // namespace

int showRankTableAction(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {QStringLiteral("--json")}, {}, 1);
    if (!options)
        return refuse(options.error());
    const QString file = options->positional.first();
    if (const auto error = missingFile(file))
        return refuse(*error);
    const auto report = checkRankTableFile(file);
    if (!report)
        return refuse(report.error());
    if (report->unusable && report->table.servers.empty())
        return refuse(*report->unusable);
    if (options->has("--json")) {
        print(visibleJson(jsonText(toJson(file, report->table), 2)));
        return 0;
    }
    print(headOf(file, report->table) + TablePrinter(report->table).text().prepend(QLatin1Char('\n')));
    if (report->hasErrors())
        say(tr("%1: %2; see rankdeckctl ranktable check")
                .arg(visibleText(file), findingsSummary(report->findings)));
    return 0;
}

} // namespace rankdeck
