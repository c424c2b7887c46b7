#pragma once

#include "base/tr.h"

#include <optional>
#include <vector>

namespace rankdeck
{

/// The device of another process, as an error line names it where it does not name a rank.
struct PeerPlace {
    QByteArray server;         ///< An address or a server id; empty if not reported.
    std::optional<int> device; ///< Physical number on that server.
    QByteArray deviceIp;       ///< Empty if not reported.

    bool operator==(const PeerPlace &) const = default;
};

/// The peers that a line blames, each once, in the order of the line.
struct NamedPeers {
    static constexpr int most = 64;

    std::vector<int> ranks;
    std::vector<PeerPlace> places;

    bool isEmpty() const { return ranks.empty() && places.empty(); }
    void add(const NamedPeers &others);
    bool operator==(const NamedPeers &) const = default;
};

/// Reads them from a line of HCCL, MindSpore, torch or vLLM: "remote rank [3]", "Waiting peer rank: 3",
/// "dst_rank[3]", "List of unconnected ranks: \"[1,]\"", "Failed to connect agent[1,3,]", a row of the link
/// table, "crimer rank [10.0.0.2/2]", "Cluster Exception Location[IP/ID]:[10.0.0.2/2]", "serverId[10.0.0.2],
/// deviceId[2], Heartbeat Lost", "Peer information: server …, device ID …, device IP …", the fewer of
/// "rankList for enabled tls" and "disabled tls", "Time out nodes are ['3']", "The node: 3 is timed out",
/// "Please check root rank: 0's log", "Ranks 1, 2 failed to pass monitoredBarrier", "retrieving ncclUniqueId
/// from [0] via c10d", "keys: /default_pg/0//cpu//0/3", "but Rank 1 is running collective", "Worker proc
/// VllmWorker-3 died"; of process groups of ours "rank 3 has gone away", "ranks 1-2 have not joined it
/// within", "do not call the same operation: rank 1 calls", "pair 0-3 failed:". Source: HCCL's error codes
/// and fault diagnosis guide; MindSpore's meta_server_node.cc; torch's ProcessGroupGloo, ProcessGroupNCCL and
/// ProcessGroupWrapper.
NamedPeers namedPeers(QByteArrayView line);

} // namespace rankdeck
