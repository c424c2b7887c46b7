#include "agent/preflight/npunetwork.h"

#include "numberranges.h"
#include "ranktable/deviceaddresses.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

namespace
{

using Status = PreflightCheck::Status;

constexpr char on[] = "1";

QString tr(const char *text)
{
    return QCoreApplication::translate("NpuNetwork", text);
}

PreflightCheck check(const char *name, Status status, const QString &sentence, const QString &mend = {})
{
    return {PreflightCheck::Part::NpuNetwork, QLatin1String(name), {}, status, sentence, mend};
}

/// The first group of `pattern` in `output`; empty: it is not there.
QString wordIn(const QByteArray &output, const char *pattern)
{
    return QRegularExpression(QString::fromLatin1(pattern), QRegularExpression::MultilineOption)
        .match(QString::fromUtf8(output))
        .captured(1)
        .trimmed();
}

/// "devices 0-3", "device 3".
QString devicesText(const QList<int> &devices)
{
    return devices.size() == 1 ? tr("device %1").arg(devices.first())
                               : tr("devices %1").arg(numberRanges(devices));
}

/// Those of `devices` whose word is not there.
QList<int> silentOf(const QList<int> &devices, const QMap<int, QString> &words)
{
    QList<int> silent;
    std::copy_if(devices.begin(), devices.end(), std::back_inserter(silent),
                 [&](int device) { return !words.contains(device); });
    return silent;
}

/// "device 3: DOWN; device 5: DOWN".
QString listed(const QMap<int, QString> &words)
{
    QStringList parts;
    for (auto it = words.begin(); it != words.end(); ++it)
        parts << tr("device %1: %2").arg(it.key()).arg(it.value());
    return parts.join(QStringLiteral("; "));
}

} // namespace

QStringList NpuNetwork::questions()
{
    return {QStringLiteral("-link"), QStringLiteral("-ip"), QStringLiteral("-tls"),
            QStringLiteral("-net_health")};
}

QStringList NpuNetwork::arguments(int device, const QString &question)
{
    return {QStringLiteral("-i"), QString::number(device), question, QStringLiteral("-g")};
}

void NpuNetwork::take(int device, const QString &question, const QByteArray &output)
{
    if (!m_devices.contains(device))
        m_devices << device;
    const auto keep = [&](QMap<int, QString> &words, const QString &word) {
        if (!word.isEmpty())
            words.insert(device, word);
    };
    if (question == QLatin1String("-link"))
        keep(m_links, wordIn(output, "link status:\\s*(\\S+)"));
    else if (question == QLatin1String("-ip"))
        keep(m_addresses, hccnAddress(output));
    else if (question == QLatin1String("-tls"))
        keep(m_tls, wordIn(output, "tls switch\\[([01])\\]"));
    else
        keep(m_health, wordIn(output, "net health status:\\s*(.+)$"));
}

PreflightCheck NpuNetwork::linkCheck() const
{
    QMap<int, QString> down;
    for (auto it = m_links.begin(); it != m_links.end(); ++it) {
        if (it.value() != QLatin1String("UP"))
            down.insert(it.key(), it.value());
    }
    const QString mend = tr("See hccn_tool -i N -optical -g and -lldp -g: the cable, the optical module, the "
                            "switch.");
    if (!down.isEmpty())
        return check("npu-link", Status::Fail, tr("The network port is not up: %1.").arg(listed(down)), mend);
    const QList<int> silent = silentOf(m_devices, m_links);
    if (!silent.isEmpty())
        return check(
            "npu-link", Status::Warn,
            tr("hccn_tool does not say whether the network port is up of %1.").arg(devicesText(silent)));
    return check("npu-link", Status::Pass, tr("The network ports of %1 are up.").arg(devicesText(m_devices)));
}

PreflightCheck NpuNetwork::addressCheck() const
{
    QStringList wrong;
    for (auto it = m_tableIps.begin(); it != m_tableIps.end(); ++it) {
        const QString own = m_addresses.value(it.key());
        // A table may list several, IPv4 and IPv6.
        if (!own.isEmpty() && !it.value().isEmpty() && !it.value().split(QLatin1Char(',')).contains(own))
            wrong << tr("device %1 has %2, the rank table says %3").arg(it.key()).arg(own, it.value());
    }
    if (!wrong.isEmpty())
        return check(
            "npu-address", Status::Fail,
            tr("Addresses of NPUs are not those of the rank table (HCCL: EJ0004): %1.")
                .arg(wrong.join(QStringLiteral("; "))),
            tr("Generate the table anew on this node (rankdeckctl ranktable generate), or mend it."));
    const QList<int> silent = silentOf(m_devices, m_addresses);
    if (!silent.isEmpty())
        return check("npu-address", Status::Warn,
                     tr("The NPUs' network has no address at %1.").arg(devicesText(silent)),
                     tr("Set one (hccn_tool -i N -ip -s), unless the launch is for one node."));
    return check("npu-address", Status::Pass,
                 m_tableIps.isEmpty()
                     ? tr("%1 have addresses in the NPUs' network.").arg(devicesText(m_devices))
                     : tr("%1 have the addresses of the rank table.").arg(devicesText(m_devices)));
}

PreflightCheck NpuNetwork::tlsCheck() const
{
    QList<int> with;
    QList<int> without;
    for (auto it = m_tls.begin(); it != m_tls.end(); ++it)
        (it.value() == QLatin1String(on) ? with : without) << it.key();
    if (!with.isEmpty() && !without.isEmpty())
        return check("npu-tls", Status::Fail,
                     tr("TLS is on at %1 and off at %2.").arg(devicesText(with), devicesText(without)),
                     tr("Make it the same everywhere: hccn_tool -i N -tls -s enable 0."));
    if (m_tls.isEmpty())
        return check("npu-tls", Status::Skipped, tr("hccn_tool does not say whether TLS is on."));
    return check("npu-tls", Status::Pass,
                 with.isEmpty() ? tr("TLS is off at %1.").arg(devicesText(without))
                                : tr("TLS is on at %1.").arg(devicesText(with)));
}

PreflightCheck NpuNetwork::healthCheck() const
{
    QMap<int, QString> ill;
    QMap<int, QString> untried;
    for (auto it = m_health.begin(); it != m_health.end(); ++it) {
        if (it.value() == QLatin1String("Init"))
            untried.insert(it.key(), it.value());
        else if (it.value() != QLatin1String("Success"))
            ill.insert(it.key(), it.value());
    }
    if (!ill.isEmpty())
        return check(
            "npu-network-health", Status::Warn, tr("The NPUs' network is not well: %1.").arg(listed(ill)),
            tr("See hccn_tool -i N -netdetect -g: the address that it detects with, gateway and VLAN."));
    if (!untried.isEmpty() || m_health.isEmpty())
        return check(
            "npu-network-health", Status::Skipped,
            tr("The NPUs' network does not look after its health: it has no address to detect with."));
    return check("npu-network-health", Status::Pass,
                 tr("The NPUs' network is well at %1.").arg(devicesText(m_devices)));
}

std::vector<PreflightCheck> NpuNetwork::checks() const
{
    return {linkCheck(), addressCheck(), tlsCheck(), healthCheck()};
}

PreflightCheck tlsCheckOfNodes(const QMap<QString, QMap<int, QString>> &nodes)
{
    QStringList with;
    QStringList without;
    for (auto it = nodes.begin(); it != nodes.end(); ++it) {
        if (it.value().isEmpty())
            continue;
        const bool isOn = it.value().first() == QLatin1String(on);
        (isOn ? with : without) << it.key();
    }
    if (!with.isEmpty() && !without.isEmpty())
        return check("npu-tls", Status::Fail,
                     tr("TLS is on at the NPUs of %1 and off at those of %2, so they cannot connect.")
                         .arg(with.join(QStringLiteral(", ")), without.join(QStringLiteral(", "))),
                     tr("Make it the same everywhere: hccn_tool -i N -tls -s enable 0."));
    if (with.isEmpty() && without.isEmpty())
        return check("npu-tls", Status::Skipped, tr("No node says whether TLS is on at its NPUs."));
    return check("npu-tls", Status::Pass, tr("TLS is the same at the NPUs of all nodes."));
}

} // namespace rankdeck
