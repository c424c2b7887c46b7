#include "agent/preflight/hcclnetwork.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QNetworkInterface>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr char addressVariable[] = "HCCL_IF_IP";
constexpr char cardVariable[] = "HCCL_SOCKET_IFNAME";

QString tr(const char *text)
{
    return QCoreApplication::translate("HcclNetwork", text);
}

bool isLoopback(const NetworkCard &card)
{
    return QHostAddress(card.address).isLoopback();
}

/// Bridges of containers lead nowhere outside.
bool isOfContainers(const NetworkCard &card)
{
    return card.name.startsWith(QLatin1String("docker")) || card.name.startsWith(QLatin1String("br-")) ||
           card.name.startsWith(QLatin1String("cni")) || card.name.startsWith(QLatin1String("virbr"));
}

QStringList namesOf(const QList<NetworkCard> &cards)
{
    QStringList names;
    for (const NetworkCard &card : cards)
        names << QStringLiteral("%1 (%2)").arg(card.name, card.address);
    return names;
}

} // namespace

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
    const bool isExcluding = socketIfname.startsWith(QLatin1Char('^'));
    QString names = socketIfname.mid(isExcluding ? 1 : 0);
    const bool isExact = names.startsWith(QLatin1Char('='));
    names.remove(0, isExact ? 1 : 0);
    const QStringList listed = names.split(QLatin1Char(','), Qt::SkipEmptyParts);
    const bool isListed = std::any_of(listed.begin(), listed.end(), [&](const QString &name) {
        return isExact ? card == name : card.startsWith(name);
    });
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
    PreflightCheck check{
        PreflightCheck::Part::Host, QStringLiteral("network-card"), {}, PreflightCheck::Status::Pass, {}, {}};
    const QString all = namesOf(cards).join(QStringLiteral(", "));
    const QString address = valueOf(QLatin1String(addressVariable));
    const QString names = valueOf(QLatin1String(cardVariable));
    const bool hasAddress = std::any_of(cards.begin(), cards.end(),
                                        [&](const NetworkCard &card) { return card.address == address; });
    const bool hasCard = std::any_of(cards.begin(), cards.end(),
                                     [&](const NetworkCard &card) { return isNamedBy(names, card.name); });
    if (!address.isEmpty() && !hasAddress) {
        check.status = PreflightCheck::Status::Fail;
        check.sentence =
            tr("HCCL_IF_IP is %1, which is no address of this node: it has %2.").arg(address, all);
        check.mend = tr("Set it to an address of each node's own, or unset it.");
    } else if (address.isEmpty() && !names.isEmpty() && !hasCard) {
        check.status = PreflightCheck::Status::Fail;
        check.sentence =
            tr("HCCL_SOCKET_IFNAME is \"%1\", which names no card of this node: it has %2.").arg(names, all);
        check.mend = tr("Name one of them, or unset it.");
    } else {
        const QStringList addresses = hcclAddresses(valueOf, cards, {});
        check.sentence = addresses.isEmpty() ? tr("No network card is up.")
                                             : tr("HCCL's root communicates over %1.").arg(addresses.first());
        if (addresses.isEmpty())
            check.status = PreflightCheck::Status::Warn;
    }
    return check;
}

} // namespace rankdeck
