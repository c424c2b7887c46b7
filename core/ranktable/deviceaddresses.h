#pragma once

#include "ranktable/ranktablegeneration.h"

#include <QHash>

#include <optional>

namespace rankdeck
{

/// Where this host's NPUs say their addresses: hccn_tool, then hccn.conf. IPv4 comes before IPv6, as HCCL
/// prefers it. Source: hccl_tools.py; hccn_tool command reference (-ip -g, -ip -inet6 -g); the keys of
/// hccn.conf as the driver writes them (address_N, IPv6address_N).
class DeviceAddresses
{
public:
    explicit DeviceAddresses(const AddressSources &sources);

    /// Empty when the address was found nowhere; lookedFor() then says where it was sought. Blocks for at
    /// most ten seconds. A tool that did not answer once is not asked again.
    QString find(DeviceId device);

    /// What was tried, a sentence each.
    QStringList lookedFor() const { return m_lookedFor; }

private:
    QString askTool(DeviceId device);
    QString readConf(DeviceId device);
    void note(const QString &sentence);

    QString m_tool; ///< Absolute path, or empty.
    QString m_confPath;
    std::optional<QHash<QString, QString>> m_conf; ///< Read when first asked for.
    QStringList m_lookedFor;
};

/// hccn_tool in PATH, whose relative entries are passed over (a tool from wherever one happens to be is not
/// the driver's), else in the driver's folder; empty: there is none.
QString hccnToolPath();
/// The address in what `hccn_tool -i N -ip -g` prints, of a line such as "ipaddr:192.0.2.10"; empty when
/// there is none.
QString hccnAddress(const QByteArray &output);

} // namespace rankdeck
