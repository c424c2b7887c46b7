#pragma once

#include "base/tr.h"

#include <QMap>

#include <optional>

namespace rankdeck
{

/// The last collective of a rank, even of a stuck Python: from torch_npu every 2 s, or from HCCL's plog.
struct LiveCollective {
    QString operation;      ///< "all_reduce"
    QString group;          ///< "tp", else its number.
    qint64 sequence = 0;    ///< Within the group, from 1 on; 0: not known.
    bool isRunning = false; ///< It has begun and has not ended.

    /// Returns "all_reduce #730 tp …": the last sign means that it is running.
    QString text() const;
    bool operator==(const LiveCollective &) const = default;
};

/// Reads a status file: of several groups the one that is running, else the last. Nothing if it is no such
/// file, or is being written. Source: torch_npu, ProcessGroupHCCL::recordHcclStatus().
std::optional<LiveCollective> liveCollectiveFrom(const QByteArray &text);

/// Reads the newest status file of each rank in a folder: torch_hccl_status-RANK_…, at most 64 KiB each.
QMap<int, LiveCollective> readLiveCollectives(const QString &folder);

/// Returns those, by their key, that are behind the farthest in their group while another one waits in it.
QList<int> ranksBehind(const QMap<int, LiveCollective> &collectives);

} // namespace rankdeck
