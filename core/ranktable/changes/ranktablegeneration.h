#pragma once

#include "ranktable/ranktable.h"
#include "result.h"

#include <QStringList>

#include <functional>

namespace rankdeck
{

/// Where device addresses are looked up; tests put their own in.
struct AddressSources {
    QString hccnTool; ///< Path of hccn_tool, or empty to search PATH and the driver's folder.
    QString hccnConf = QStringLiteral("/etc/hccn.conf");
};

struct GenerateRequest {
    std::vector<DeviceId> devices;
    QString
        serverId; ///< server_id, normally the host's address; empty: this host's first global IPv4 address.
    QStringList deviceIps;      ///< One for each device, or empty: they are looked up.
    bool withHostNicIp = false; ///< Add host_nic_ip "reserve", as hccl_tools.py does.
};

struct GeneratedTable {
    RankTable table;
    QString fileName;      ///< As hccl_tools.py calls it: hccl_8p_01234567_10.0.0.10.json.
    QStringList lookedFor; ///< What was tried for the addresses, a sentence each.
};

/// A version 1.0 table of one server. Device addresses: as given, else `hccn_tool -i N -ip -g`, else
/// address_N of /etc/hccn.conf. Error: an address was found nowhere; it says what was looked for, and its
/// `where` is the field, "device_ip" or "server_id". Blocks
/// while hccn_tool runs (at most ten seconds a device); `isCancelled` is asked between the devices.
Result<GeneratedTable> generateRankTableOfHost(const GenerateRequest &request,
                                               const AddressSources &sources = {},
                                               const std::function<bool()> &isCancelled = {});

} // namespace rankdeck
