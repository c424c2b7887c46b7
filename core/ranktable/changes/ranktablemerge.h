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

} // namespace rankdeck
