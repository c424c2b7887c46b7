#include "ranktable/findings/tablewords.h"

#include "base/tr.h"
#include "ranktable/rules/findingwords.h"

#include <algorithm>

namespace rankdeck
{

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
    const QString first = instances ? (servers == 1 ? tr("1 instance") : tr("%n instances", nullptr, servers))
                                    : (servers == 1 ? tr("1 server") : tr("%n servers", nullptr, servers));
    return tr("%1, %2").arg(first, devices == 1 ? tr("1 device") : tr("%n devices", nullptr, devices));
}

QString membershipWords(const RankTable &table, int server)
{
    const Server &wanted = table.servers[size_t(server)];
    QStringList words;
    if (!wanted.podName.isEmpty())
        words += wanted.podName;
    const auto pod =
        std::find_if(table.superPods.cbegin(), table.superPods.cend(), [&](const SuperPod &candidate) {
            return candidate.group == wanted.group &&
                   std::find(candidate.serverIds.cbegin(), candidate.serverIds.cend(), wanted.serverId) !=
                       candidate.serverIds.cend();
        });
    if (pod != table.superPods.cend())
        words += tr("super pod %1").arg(pod->superPodId);
    if (wanted.group >= 0 && size_t(wanted.group) < table.groups.size()) {
        const QString &name = table.groups[size_t(wanted.group)].name;
        if (!name.isEmpty())
            words += tr("group %1").arg(name);
    }
    return words.join(QStringLiteral(", "));
}

QString findingWords(const CheckedTable &checked, DevicePlace place)
{
    QStringList lines;
    for (const int index : checked.places.findingsAt(place)) {
        const Finding &finding = checked.finding(index);
        lines += QStringLiteral("%1: %2").arg(severityWord(finding.severity), finding.what);
    }
    return lines.join(QLatin1Char('\n'));
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
    return lines.join(QLatin1Char('\n'));
}

QString plainToolTip(const QString &text)
{
    if (text.isEmpty())
        return {};
    return QStringLiteral("<qt>%1</qt>")
        .arg(text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

} // namespace rankdeck
