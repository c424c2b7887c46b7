#include "ranktable/findings/checkedtable.h"

#include "base/listcomma.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

/// The target of a JSON pointer; Table for everything outside the list of servers.
enum class Depth { Table, Server, Device };

struct Pointed {
    Depth depth = Depth::Table;
    int group = 0;
    int server = -1; ///< Within its group.
    int device = -1;
};

/// Returns the target of the pointer, as far as the pointer alone shows it.
Pointed pointedAt(const QString &pointer, RankTableForm form)
{
    const QStringList parts = pointer.split('/'_L1).mid(1);
    const auto number = [&parts](qsizetype at) {
        bool ok = false;
        const int value = parts.value(at).toInt(&ok);
        return ok ? value : -1;
    };
    Pointed pointed;
    switch (form) {
    case RankTableForm::ServerList:
    case RankTableForm::SuperPodList:
    case RankTableForm::NodeList:
        if (parts.value(0) == "super_pod_list"_L1)
            return pointed;
        pointed.server = number(1);
        pointed.device = number(3);
        break;
    case RankTableForm::GroupList:
    case RankTableForm::ServerGroupList:
        if (parts.value(2) == "super_pod_list"_L1)
            return pointed;
        pointed.group = number(1);
        pointed.server = number(3);
        pointed.device = number(5);
        break;
    case RankTableForm::LabGroupList:
        // Each device is a separate instance.
        pointed.group = number(1);
        pointed.server = number(3);
        pointed.device = pointed.server >= 0 ? 0 : -1;
        break;
    case RankTableForm::RankList:
        // This form does not list the ranks by server.
        pointed.depth = number(1) >= 0 ? Depth::Device : Depth::Table;
        return pointed;
    }
    pointed.depth = pointed.server < 0 ? Depth::Table : pointed.device < 0 ? Depth::Server : Depth::Device;
    return pointed;
}

/// The first lines of all servers, or of all devices, in ascending order.
class LineIndex
{
public:
    void add(int line, DevicePlace place)
    {
        m_isKnown = m_isKnown && line > 0;
        m_starts.push_back({line, place});
    }
    /// Sorts the lines. Returns false if they are ambiguous: unknown, or two places begin in the same line.
    bool close()
    {
        std::ranges::stable_sort(m_starts, {}, &Start::line);
        const auto twice = std::ranges::adjacent_find(m_starts, {}, &Start::line);
        return m_isKnown && twice == m_starts.end();
    }
    /// Returns the place that `line` belongs to.
    DevicePlace at(int line) const
    {
        const auto next = std::ranges::upper_bound(m_starts, line, {}, &Start::line);
        return next == m_starts.begin() ? DevicePlace() : std::prev(next)->place;
    }

private:
    struct Start {
        int line;
        DevicePlace place;
    };
    std::vector<Start> m_starts;
    bool m_isKnown = true;
};

class Locator
{
public:
    explicit Locator(const CheckReport &report)
        : m_table(report.table)
    {
        const auto &lines = report.lines;
        m_byLine = lines.size() == m_table.servers.size();
        for (int server = 0; server < int(m_table.servers.size()) && m_byLine; ++server) {
            const ServerLines &own = lines[size_t(server)];
            m_byLine = own.devices.size() == m_table.servers[size_t(server)].devices.size();
            m_servers.add(own.line, {server, -1});
            for (int device = 0; device < int(own.devices.size()); ++device)
                m_devices.add(own.devices[size_t(device)], {server, device});
        }
        const bool areServersKnown = m_servers.close();
        m_byLine = m_devices.close() && m_byLine;
        m_serversByLine = m_byLine && areServersKnown;
    }

    DevicePlace find(const Finding &finding) const
    {
        const Pointed pointed = pointedAt(finding.pointer, m_table.form);
        if (pointed.depth == Depth::Table)
            return {};
        // Lines first: an unreadable entry shifts the indices.
        if (m_byLine && finding.line > 0 && pointed.depth == Depth::Device)
            return m_devices.at(finding.line);
        if (m_serversByLine && finding.line > 0 && pointed.depth == Depth::Server)
            return m_servers.at(finding.line);
        return byIndex(pointed);
    }

private:
    DevicePlace byIndex(const Pointed &pointed) const
    {
        int within = pointed.server;
        for (int server = 0; server < int(m_table.servers.size()) && within >= 0; ++server) {
            if (m_table.servers[size_t(server)].group != pointed.group || within-- > 0)
                continue;
            const bool has = pointed.device < int(m_table.servers[size_t(server)].devices.size());
            return {server, has ? pointed.device : -1};
        }
        return {};
    }

    const RankTable &m_table;
    LineIndex m_servers;
    LineIndex m_devices;
    bool m_byLine = false;
    bool m_serversByLine = false;
};

} // namespace

FindingPlaces::FindingPlaces(const CheckReport &report)
{
    if (report.findings.empty())
        return;
    const Locator locator(report);
    for (int finding = 0; finding < int(report.findings.size()); ++finding) {
        const DevicePlace place = locator.find(report.findings[size_t(finding)]);
        m_places.append(place);
        if (!place.isValid())
            continue;
        m_at[{place.server, place.device}].append(finding);
        Severity &worst = m_worst[place.server];
        worst = std::max(worst, report.findings[size_t(finding)].severity);
    }
}

std::optional<Severity> FindingPlaces::worstWithin(int server) const
{
    const auto found = m_worst.constFind(server);
    return found == m_worst.constEnd() ? std::optional<Severity>() : *found;
}

std::optional<Severity> CheckedTable::worstAt(DevicePlace place) const
{
    std::optional<Severity> worst; // Less than any severity.
    for (const int index : places.findingsAt(place))
        worst = std::max(worst, std::optional(finding(index).severity));
    return worst;
}

int CheckedTable::lineOf(DevicePlace place) const
{
    if (!place.isValid() || size_t(place.server) >= report->lines.size())
        return 0;
    const ServerLines &lines = report->lines[size_t(place.server)];
    if (place.device < 0)
        return lines.line;
    return size_t(place.device) < lines.devices.size() ? lines.devices[size_t(place.device)] : 0;
}

QString rankWords(const Device &device)
{
    return device.rank ? tr("rank %1").arg(device.rank->value) : tr("no rank");
}

QString deviceWords(const Device &device)
{
    return device.deviceId == Device::host ? tr("host") : tr("device %1").arg(device.deviceId.value);
}

QString sizeWords(const RankTable &table)
{
    const int servers = int(table.servers.size());
    const int devices = table.deviceCount();
    const bool instances =
        table.form == RankTableForm::GroupList || table.form == RankTableForm::LabGroupList;
    return (instances ? tr("%n instances", "%n instance", servers) : tr("%n servers", "%n server", servers)) +
           listComma() + tr("%n devices", "%n device", devices);
}

QString membershipWords(const RankTable &table, int server)
{
    const Server &wanted = table.servers[size_t(server)];
    QStringList words;
    if (!wanted.podName.isEmpty())
        words += wanted.podName;
    const auto pod = std::ranges::find_if(table.superPods, [&](const SuperPod &candidate) {
        return candidate.group == wanted.group &&
               std::ranges::find(candidate.serverIds, wanted.serverId) != candidate.serverIds.cend();
    });
    if (pod != table.superPods.cend())
        words += tr("super pod %1").arg(pod->superPodId);
    if (wanted.group >= 0 && size_t(wanted.group) < table.groups.size()) {
        const QString &name = table.groups[size_t(wanted.group)].name;
        if (!name.isEmpty())
            words += tr("group %1").arg(name);
    }
    return words.join(listComma());
}

QString findingWords(const CheckedTable &checked, DevicePlace place)
{
    QStringList lines;
    for (const int index : checked.places.findingsAt(place)) {
        const Finding &finding = checked.finding(index);
        lines += withColon(severityWord(finding.severity), finding.what);
    }
    return lines.join('\n'_L1);
}

QString deviceDescription(const CheckedTable &checked, DevicePlace place)
{
    const Device &device = checked.device(place);
    QStringList lines{
        tr("%1, %2 of %3").arg(rankWords(device), deviceWords(device), checked.server(place).serverId)};
    if (!device.deviceIp.isEmpty())
        lines += tr("Device IP %1").arg(device.deviceIp);
    if (!device.superDeviceId.isEmpty())
        lines += tr("Super device ID %1").arg(device.superDeviceId);
    if (const QString findings = findingWords(checked, place); !findings.isEmpty())
        lines += findings;
    return lines.join('\n'_L1);
}

QString plainToolTip(const QString &text)
{
    if (text.isEmpty())
        return {};
    return u"<qt>%1</qt>"_s.arg(text.toHtmlEscaped().replace('\n'_L1, u"<br>"_s));
}

} // namespace rankdeck
