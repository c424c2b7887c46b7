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

/// Reads them from a line of HCCL, MindSpore, torch, JAX or vLLM, or of process groups of ours, in the forms
/// that stand in namedpeers.cpp, such as "remote rank [3]". Source: HCCL's error codes and fault diagnosis
/// guide; MindSpore's meta_server_node.cc; torch's ProcessGroupGloo, ProcessGroupNCCL and
/// ProcessGroupWrapper.
NamedPeers namedPeers(QByteArrayView line);

} // namespace rankdeck
