#pragma once

#include "agent/preflight/preflightcheck.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <vector>

namespace rankdeck
{

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
