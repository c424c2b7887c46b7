#pragma once

#include "agent/preflight/preflightcheck.h"
#include "launch/environmentrules.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace rankdeck
{

/// A network card of this node with an address.
struct NetworkCard {
    QString name;
    QString address; ///< IPv4.

    bool operator==(const NetworkCard &) const = default;
};

/// Those that are up and running, loopback last.
QList<NetworkCard> networkCards();

/// Whether HCCL_SOCKET_IFNAME names the card: "eth" its beginning, "=eth0" all of it, "^" before either what
/// is left out; one of several with commas. Source: HCCL's documentation of the variable.
bool isNamedBy(const QString &socketIfname, const QString &card);

/// The addresses of this node at which other nodes may reach it, the one that HCCL takes first: HCCL_IF_IP,
/// then cards that HCCL_SOCKET_IFNAME names, then `reachedAt` (empty: not known), then other cards, those of
/// containers after others. Loopback only where there is nothing else.
QStringList hcclAddresses(const VariableLookup &valueOf, const QList<NetworkCard> &cards,
                          const QString &reachedAt);

/// Whether the variables that choose a card choose one that this node has.
PreflightCheck networkCardCheck(const VariableLookup &valueOf, const QList<NetworkCard> &cards);

} // namespace rankdeck
