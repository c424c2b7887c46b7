#pragma once

#include "agent/preflight/preflightcheck.h"
#include "launch/text/environmentrules.h"

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

/// What hccn_tool says of the network that connects the NPUs of one node.
/// Source: hccn_tool's command reference (-link, -ip, -tls, -net_health) and recorded output.
class NpuNetwork
{
public:
    /// What it is asked: "-link", "-ip", "-tls", "-net_health".
    static QStringList questions();
    /// The arguments of one of them about one device.
    static QStringList arguments(int device, const QString &question);

    /// @param tableIps the addresses that a rank table has for devices, by physical id.
    explicit NpuNetwork(QMap<int, QString> tableIps)
        : m_tableIps(std::move(tableIps))
    {
    }

    /// What was printed about a device; empty: hccn_tool failed or did not answer.
    void take(int device, const QString &question, const QByteArray &output);
    /// One check for each question, of all devices together.
    std::vector<PreflightCheck> checks() const;
    /// Of each device that says it: "0" TLS is off, "1" it is on.
    const QMap<int, QString> &tls() const { return m_tls; }

private:
    PreflightCheck linkCheck() const;
    PreflightCheck addressCheck() const;
    PreflightCheck tlsCheck() const;
    PreflightCheck healthCheck() const;

    QMap<int, QString> m_tableIps;
    QList<int> m_devices; ///< Asked about.
    QMap<int, QString> m_links;
    QMap<int, QString> m_addresses;
    QMap<int, QString> m_tls;
    QMap<int, QString> m_health;
};

/// Whether TLS is the same on the NPUs of all nodes; by node, what NpuNetwork::tls() said there. Skipped
/// where none said anything.
PreflightCheck tlsCheckOfNodes(const QMap<QString, QMap<int, QString>> &nodes);

} // namespace rankdeck
