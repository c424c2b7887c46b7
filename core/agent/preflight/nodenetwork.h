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

/// Returns the cards that are up and running, loopback last.
QList<NetworkCard> networkCards();

/// Returns whether HCCL_SOCKET_IFNAME names the card: "eth" by its beginning, "=eth0" in full; "^" before
/// either excludes cards; several with commas. Source: HCCL's documentation of the variable.
bool isNamedBy(const QString &socketIfname, const QString &card);

/// Returns the addresses of this node at which other nodes may reach it, HCCL's choice first: HCCL_IF_IP,
/// then cards that HCCL_SOCKET_IFNAME names, then `reachedAt` (empty: not known), then other cards, those of
/// containers last. Loopback only if there is no other.
QStringList hcclAddresses(const VariableLookup &valueOf, const QList<NetworkCard> &cards,
                          const QString &reachedAt);

/// Whether the variables that choose a card choose one that this node has.
PreflightCheck networkCardCheck(const VariableLookup &valueOf, const QList<NetworkCard> &cards);

/// Collects hccn_tool's output on the NPUs' network. Source: its command reference and recorded output.
class NpuNetwork
{
public:
    /// Returns the questions to hccn_tool: "-link", "-ip", "-tls", "-net_health".
    static QStringList questions() { return {u"-link"_s, u"-ip"_s, u"-tls"_s, u"-net_health"_s}; }
    static QStringList arguments(int device, const QString &question);

    /// @param tableIps the addresses that a rank table has for devices, by physical id.
    explicit NpuNetwork(QMap<int, QString> tableIps)
        : m_tableIps(std::move(tableIps))
    {
    }

    /// Handles the output about a device; empty: hccn_tool failed or did not answer.
    void take(int device, const QString &question, const QByteArray &output);
    /// One check for each question, of all devices together.
    std::vector<PreflightCheck> checks() const
    {
        return {linkCheck(), addressCheck(), tlsCheck(), healthCheck()};
    }
    /// Returns TLS by device, for those that report it: "0" is off, "1" is on.
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

/// Whether TLS is the same on the NPUs of all nodes, by their NpuNetwork::tls(). Skipped without any.
PreflightCheck tlsCheckOfNodes(const QMap<QString, QMap<int, QString>> &nodes);

} // namespace rankdeck
