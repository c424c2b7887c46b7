#include "agent/preflight/nodenetwork.h"

#include "base/listcomma.h"
#include "base/numberranges.h"
#include "ranktable/changes/ranktablegeneration.h"

#include <QHostAddress>
#include <QNetworkInterface>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

using Status = PreflightCheck::Status;

constexpr char addressVariable[] = "HCCL_IF_IP";
constexpr char cardVariable[] = "HCCL_SOCKET_IFNAME";

static bool isLoopback(const NetworkCard &card)
{
    return QHostAddress(card.address).isLoopback();
}

/// Bridges of containers lead nowhere outside.
static bool isOfContainers(const NetworkCard &card)
{
    return card.name.startsWith("docker"_L1) || card.name.startsWith("br-"_L1) ||
           card.name.startsWith("cni"_L1) || card.name.startsWith("virbr"_L1);
}

constexpr char on[] = "1";

static PreflightCheck networkCheck(const char *name, Status status, const QString &sentence,
                                   const QString &mend = {})
{
    return {PreflightCheck::Part::NpuNetwork, QLatin1String(name), {}, status, sentence, mend};
}

/// The first group of `pattern` in `output`; empty: it is not there.
static QString wordIn(const QByteArray &output, const char *pattern)
{
    return QRegularExpression(QString::fromLatin1(pattern), QRegularExpression::MultilineOption)
        .match(QString::fromUtf8(output))
        .captured(1)
        .trimmed();
}

/// Returns the devices of `devices` without a word in `words`.
static QList<int> silentOf(const QList<int> &devices, const QMap<int, QString> &words)
{
    QList<int> silent;
    std::copy_if(devices.begin(), devices.end(), std::back_inserter(silent),
                 [&](int device) { return !words.contains(device); });
    return silent;
}

/// "device 3: DOWN; device 5: DOWN".
static QString listed(const QMap<int, QString> &words)
{
    QStringList parts;
    for (auto it = words.begin(); it != words.end(); ++it)
        parts << tr("device %1: %2").arg(it.key()).arg(it.value());
    return parts.join(listSemicolon());
}

QList<NetworkCard> networkCards()
{
    QList<NetworkCard> cards;
    for (const QNetworkInterface &card : QNetworkInterface::allInterfaces()) {
        if (!(card.flags() & QNetworkInterface::IsUp) || !(card.flags() & QNetworkInterface::IsRunning))
            continue;
        for (const QNetworkAddressEntry &entry : card.addressEntries()) {
            if (entry.ip().protocol() == QAbstractSocket::IPv4Protocol)
                cards.append({card.name(), entry.ip().toString()});
        }
    }
    std::stable_partition(cards.begin(), cards.end(),
                          [](const NetworkCard &card) { return !isLoopback(card); });
    return cards;
}

bool isNamedBy(const QString &socketIfname, const QString &card)
{
    const bool isExcluding = socketIfname.startsWith('^'_L1);
    QString names = socketIfname.mid(isExcluding ? 1 : 0);
    const bool isExact = names.startsWith('='_L1);
    names.remove(0, isExact ? 1 : 0);
    const QStringList listed = names.split(','_L1, Qt::SkipEmptyParts);
    const bool isListed = std::ranges::any_of(
        listed, [&](const QString &name) { return isExact ? card == name : card.startsWith(name); });
    return isListed != isExcluding;
}

QStringList hcclAddresses(const VariableLookup &valueOf, const QList<NetworkCard> &cards,
                          const QString &reachedAt)
{
    QStringList addresses;
    const auto add = [&](const QString &address) {
        if (!address.isEmpty() && !addresses.contains(address))
            addresses << address;
    };
    const QString chosen = valueOf(QLatin1String(addressVariable));
    if (!QHostAddress(chosen).isNull())
        add(chosen);
    const QString names = valueOf(QLatin1String(cardVariable));
    for (const NetworkCard &card : cards) {
        if (!names.isEmpty() && isNamedBy(names, card.name))
            add(card.address);
    }
    add(reachedAt);
    for (const bool ofContainers : {false, true}) {
        for (const NetworkCard &card : cards) {
            if (isOfContainers(card) == ofContainers && !isLoopback(card))
                add(card.address);
        }
    }
    if (addresses.isEmpty() && !cards.isEmpty())
        add(cards.last().address);
    return addresses;
}

PreflightCheck networkCardCheck(const VariableLookup &valueOf, const QList<NetworkCard> &cards)
{
    const auto check = [](Status status, const QString &sentence, const QString &mend = {}) {
        return PreflightCheck{PreflightCheck::Part::Host, u"network-card"_s, {}, status, sentence, mend};
    };
    const QStringList shown =
        listOf(cards, [](const NetworkCard &card) -> QString { return inBrackets(card.name, card.address); });
    const QString all = shown.join(listComma());
    const QString address = valueOf(QLatin1String(addressVariable));
    const QString names = valueOf(QLatin1String(cardVariable));
    const bool hasAddress =
        std::ranges::any_of(cards, [&](const NetworkCard &card) { return card.address == address; });
    const bool hasCard =
        std::ranges::any_of(cards, [&](const NetworkCard &card) { return isNamedBy(names, card.name); });
    if (!address.isEmpty() && !hasAddress)
        return check(Status::Fail,
                     tr("HCCL_IF_IP is %1, not an address of this node: it has %2.").arg(address, all),
                     tr("Set it to each node's own address, or unset it."));
    if (address.isEmpty() && !names.isEmpty() && !hasCard)
        return check(
            Status::Fail,
            tr("HCCL_SOCKET_IFNAME is \"%1\", not a network card of this node: it has %2.").arg(names, all),
            tr("Name one of them, or unset it."));
    const QStringList addresses = hcclAddresses(valueOf, cards, {});
    if (addresses.isEmpty())
        return check(Status::Warn, tr("No network card is up."));
    return check(Status::Pass, tr("HCCL's root communicates over %1.").arg(addresses.first()));
}

QStringList NpuNetwork::arguments(int device, const QString &question)
{
    return {u"-i"_s, QString::number(device), question, u"-g"_s};
}

void NpuNetwork::take(int device, const QString &question, const QByteArray &output)
{
    if (!m_devices.contains(device))
        m_devices << device;
    const auto keep = [&](QMap<int, QString> &words, const QString &word) {
        if (!word.isEmpty())
            words.insert(device, word);
    };
    if (question == "-link"_L1)
        keep(m_links, wordIn(output, "link status:\\s*(\\S+)"));
    else if (question == "-ip"_L1)
        keep(m_addresses, hccnAddress(output));
    else if (question == "-tls"_L1)
        keep(m_tls, wordIn(output, "tls switch\\[([01])\\]"));
    else
        keep(m_health, wordIn(output, "net health status:\\s*(.+)$"));
}

PreflightCheck NpuNetwork::linkCheck() const
{
    QMap<int, QString> down;
    for (auto it = m_links.begin(); it != m_links.end(); ++it) {
        if (it.value() != "UP"_L1)
            down.insert(it.key(), it.value());
    }
    const QString mend =
        tr("Check the cable, the optical module and the switch: hccn_tool -i N -optical -g and -lldp -g.");
    if (!down.isEmpty())
        return networkCheck("npu-link", Status::Fail, tr("The network port is down: %1.").arg(listed(down)),
                            mend);
    const QList<int> silent = silentOf(m_devices, m_links);
    if (!silent.isEmpty())
        return networkCheck(
            "npu-link", Status::Warn,
            tr("hccn_tool does not report the state of the network port: %1.").arg(devicesText(silent)));
    return networkCheck("npu-link", Status::Pass,
                        tr("The network ports of %1 are up.").arg(devicesText(m_devices)));
}

PreflightCheck NpuNetwork::addressCheck() const
{
    QStringList wrong;
    for (auto it = m_tableIps.begin(); it != m_tableIps.end(); ++it) {
        const QString own = m_addresses.value(it.key());
        // A table may list several, IPv4 and IPv6.
        if (!own.isEmpty() && !it.value().isEmpty() && !it.value().split(','_L1).contains(own))
            wrong << tr("device %1 has %2, the rank table says %3").arg(it.key()).arg(own, it.value());
    }
    if (!wrong.isEmpty())
        return networkCheck(
            "npu-address", Status::Fail,
            tr("Addresses of NPUs differ from the rank table (HCCL: EJ0004): %1.")
                .arg(wrong.join(listSemicolon())),
            tr("Generate the table again on this node (rankdeckctl ranktable generate), or fix it."));
    const QList<int> silent = silentOf(m_devices, m_addresses);
    if (!silent.isEmpty())
        return networkCheck("npu-address", Status::Warn,
                            tr("The NPUs' network has no address at %1.").arg(devicesText(silent)),
                            tr("Set one (hccn_tool -i N -ip -s), unless the launch is for one node."));
    return networkCheck(
        "npu-address", Status::Pass,
        m_tableIps.isEmpty()
            ? tr("Devices with an address in the NPUs' network: %1.").arg(numberRanges(m_devices))
            : tr("Devices with the address of the rank table: %1.").arg(numberRanges(m_devices)));
}

PreflightCheck NpuNetwork::tlsCheck() const
{
    QList<int> with;
    QList<int> without;
    for (auto it = m_tls.begin(); it != m_tls.end(); ++it)
        (it.value() == QLatin1String(on) ? with : without) << it.key();
    if (!with.isEmpty() && !without.isEmpty())
        return networkCheck(
            "npu-tls", Status::Fail,
            tr("TLS is on for %1 and off for %2.").arg(devicesText(with), devicesText(without)),
            tr("Use the same setting everywhere: hccn_tool -i N -tls -s enable 0."));
    if (m_tls.isEmpty())
        return networkCheck("npu-tls", Status::Skipped, tr("hccn_tool does not report whether TLS is on."));
    return networkCheck("npu-tls", Status::Pass,
                        with.isEmpty() ? tr("TLS is off for %1.").arg(devicesText(without))
                                       : tr("TLS is on for %1.").arg(devicesText(with)));
}

PreflightCheck NpuNetwork::healthCheck() const
{
    QMap<int, QString> ill;
    QMap<int, QString> untried;
    for (auto it = m_health.begin(); it != m_health.end(); ++it) {
        if (it.value() == "Init"_L1)
            untried.insert(it.key(), it.value());
        else if (it.value() != "Success"_L1)
            ill.insert(it.key(), it.value());
    }
    if (!ill.isEmpty())
        return networkCheck(
            "npu-network-health", Status::Warn, tr("The NPUs' network has problems: %1.").arg(listed(ill)),
            tr("Check the detection address, gateway and VLAN: hccn_tool -i N -netdetect -g."));
    if (!untried.isEmpty() || m_health.isEmpty())
        return networkCheck("npu-network-health", Status::Skipped,
                            tr("The NPUs' network does not check its health: no detection address is set."));
    return networkCheck("npu-network-health", Status::Pass,
                        tr("The NPUs' network is healthy for %1.").arg(devicesText(m_devices)));
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
        return networkCheck(
            "npu-tls", Status::Fail,
            tr("TLS is on for the NPUs of %1 and off for those of %2, so they cannot connect.")
                .arg(with.join(listComma()), without.join(listComma())),
            tr("Use the same setting everywhere: hccn_tool -i N -tls -s enable 0."));
    if (with.isEmpty() && without.isEmpty())
        return networkCheck("npu-tls", Status::Skipped,
                            tr("No node reports whether TLS is on for its NPUs."));
    return networkCheck("npu-tls", Status::Pass, tr("TLS is set the same for the NPUs of all nodes."));
}

} // namespace rankdeck
