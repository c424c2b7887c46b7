#pragma once

#include "base/result.h"
#include "ranktable/table/ranktable.h"

namespace rankdeck
{

/// How merged tables are ordered before their ranks are numbered. The field does both: MindSpore asks for
/// ranks in the dictionary order of server_id; merge_hccl.py numbers in the order of its arguments.
enum class MergeOrder {
    ServerId, ///< Dictionary order of server_id (IPv4 addresses are compared as the strings they are).
    AsGiven,  ///< The order of the arguments.
};

struct MergedTable {
    RankTable table;
    MergeOrder order = MergeOrder::ServerId;
    bool ordersDiffer = false; ///< The other order would have numbered the ranks differently.
};

/// Makes one table of version 1.0 from several of template 1 or 2; ranks are renumbered from 0, server after
/// server, within a server in the order of their old ranks. Errors: fewer than two tables, a form that cannot
/// be merged, the same server_id or device_ip twice; errors name the tables by `names`.
Result<MergedTable> mergeRankTables(const std::vector<RankTable> &tables, const QStringList &names,
                                    MergeOrder order = MergeOrder::ServerId);

/// Returns the file name that merge_hccl.py would choose: hccl_<servers>s_<ranks>p.json.
QString mergedFileName(const RankTable &table);

/// Reads device ids from a text such as "0-3,6", "[0,8)" (as hccl_tools.py: 0 to 7) or "0,2,4"; ascending,
/// each once. Fails for other text, an empty list and ids over 64.
Result<std::vector<DeviceId>> parseDeviceList(const QString &text);

/// Returns the table with only these devices of these servers; an empty list means all. In every form, ranks
/// are renumbered from 0 in their old order, and servers and super pods without devices are removed. Fails if
/// a server is not in the table, or one of the servers lacks a device.
Result<RankTable> subsetOfRankTable(const RankTable &table, const std::vector<DeviceId> &devices,
                                    const QStringList &servers);

} // namespace rankdeck
