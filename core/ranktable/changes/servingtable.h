#pragma once

#include "base/result.h"
#include "ranktable/table/ranktable.h"

namespace rankdeck
{

/// A service with separate instances for prefill and decode, as MindIE runs it.
struct ServingRequest {
    int prefill = 1;          ///< Instances for prefill, from 1 up.
    int decode = 1;           ///< Instances for decode, from 1 up.
    int prefillDevices = 0;   ///< NPUs of each prefill instance; 0: the remaining NPUs, divided evenly.
    int decodeDevices = 0;    ///< NPUs of each decode instance; 0: the remaining NPUs, divided evenly.
    QString coordinator = {}; ///< Address of MindIE's coordinator; empty: the first server's.
    QString controller = {};  ///< Address of MindIE's controller; empty: the first server's.
};

struct ServingTable {
    RankTable table;
    QStringList sharedServers; ///< Servers that hold NPUs of several instances.
};

/// Makes the global table (server_group_list) of a service from a table of version 1.0 or 1.2: group 0 is the
/// coordinator, group 1 the controller, then one group per instance, prefill first. Instances take the
/// devices in the table's order; ranks count from 0 in each. Fails if they do not suffice, or for other
/// forms. Source: MindIE's reader of it (RankTableLoader: group_id, server_ip, device_logical_id).
Result<ServingTable> servingTable(const RankTable &table, const ServingRequest &request);

} // namespace rankdeck
