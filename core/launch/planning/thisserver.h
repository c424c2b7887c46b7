#pragma once

#include "base/sentence.h"
#include "launch/host/hostfacts.h"
#include "ranktable/table/ranktable.h"

namespace rankdeck
{

/// The server of a rank table that is this host.
struct ThisServer {
    QString serverId;
    QString reason;         ///< A clause, such as "it is an address of this host".
    bool isOnlyOne = false; ///< The table has no other server, so that none was chosen.

    /// Returns "This host is server 192.168.0.2, because it is an address of this host."
    Sentence sentence() const;
};

/// Returns the server of `table` that is this host. The first of these that names a server decides:
/// 1. `wanted`, the value of --server: a server_id or a pod_name;
/// 2. BATCH_TASK_CURRENT_INSTANCE, else MA_CURRENT_INSTANCE_NAME, and MA_CURRENT_HOST_IP, each as a pod_name
///    or a server_id;
/// 3. a table of one server: that server;
/// 4. an address of this host: server_id, host_ip or container_ip; an address that other hosts reach counts
///    before one of 127.0.0.0/8;
/// 5. the name of this host: server_id or pod_name.
/// Fails if none or several of several servers fit, or if a variable that belongs to the table's form names
/// no server; the error lists the servers.
Result<ThisServer> findThisServer(const RankTable &table, const QString &wanted, const HostFacts &facts);

} // namespace rankdeck
