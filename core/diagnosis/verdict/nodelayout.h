#pragma once

#include "diagnosis/verdict/rankevidence.h"
#include "ranktable/ranktable.h"

#include <QHash>

#include <optional>
#include <vector>

namespace rankdeck
{

/// Which rank has which device, as far as rank table, file names and HCCL's words tell: error lines name a
/// server and a device where one wants a rank.
class NodeLayout
{
public:
    /// @param workers by rank.
    /// @param rootServer that of rank 0; may be empty.
    NodeLayout(const RankTable &table, const std::vector<RankEvidence> &workers,
               const QByteArray &rootServer);

    std::optional<int> rankAt(const PeerPlace &place) const;

private:
    struct Node {
        QByteArray server;        ///< Empty: not known.
        QHash<int, int> byDevice; ///< Rank by device.
    };
    void readTable(const RankTable &table);
    void cutIntoNodes(const std::vector<RankEvidence> &workers);
    /// The node that has this name, or the only one that may have it.
    const Node *nodeOf(const QByteArray &server) const;

    QHash<QByteArray, int> m_byIp;
    QHash<QByteArray, int> m_byServer; ///< "server/device", of the rank table.
    std::vector<Node> m_nodes;
};

} // namespace rankdeck
