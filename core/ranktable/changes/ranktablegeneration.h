#pragma once

#include "base/result.h"
#include "ranktable/table/ranktable.h"

#include <functional>

namespace rankdeck
{

/// Where device addresses are looked up; tests replace both.
struct AddressSources {
    QString hccnTool; ///< Path of hccn_tool, or empty to search PATH and the driver's folder.
    QString hccnConf = u"/etc/hccn.conf"_s;
};

struct GenerateRequest {
    std::vector<DeviceId> devices;
    QString serverId;      ///< Normally the host's address; empty: this host's first global IPv4 address.
    QStringList deviceIps; ///< One for each device, or empty: they are looked up.
    bool withHostNicIp = false; ///< Add host_nic_ip "reserve", as hccl_tools.py does.
};

struct GeneratedTable {
    RankTable table;
    QString fileName;      ///< As hccl_tools.py calls it: hccl_8p_01234567_10.0.0.10.json.
    QStringList lookedFor; ///< Attempts to find the addresses, a sentence each.
};

/// Makes a version 1.0 table of one server. Device addresses: as given, else `hccn_tool -i N -ip -g`, else
/// address_N of /etc/hccn.conf. Fails if an address is not found; the error lists what was tried, and its
/// `where` is the field, "device_ip" or "server_id". Blocks while hccn_tool runs (at most ten seconds a
/// device); calls `isCancelled` between the devices.
Result<GeneratedTable> generateRankTableOfHost(const GenerateRequest &request,
                                               const AddressSources &sources = {},
                                               const std::function<bool()> &isCancelled = {});

/// Returns the path of hccn_tool: in PATH, whose relative entries are ignored (a tool in the current
/// directory is not the driver's), else in the driver's folder; empty if there is none.
QString hccnToolPath();
/// Returns the address in "ipaddr:192.0.2.10" and the like of `hccn_tool -i N -ip -g`; empty: none.
QString hccnAddress(const QByteArray &output);

} // namespace rankdeck
