#pragma once

#include "base/result.h"
#include "ranktable/table/ranktable.h"

#include <QHash>
#include <QPair>

namespace rankdeck
{

/// Returns the instances of a GroupList table in davincirun's order: those of the first group by the number
/// after the last '-' of pod_name. Fails if one of several pod_names ends in no number.
Result<RankTable> orderInstances(const RankTable &table);

/// Converts template 2 to template 1 (version 1.0), grouped by server_id. Cloud: as davincirun converts,
/// devices numbered from rank 0 in the order of orderInstances(). Lab: devices keep the rank of their
/// instance. Every other form is returned as it is. Errors: as orderInstances().
Result<RankTable> convertToServerList(const RankTable &table);

/// Ids that version 1.2 needs and version 1.0 may lack.
struct SuperPodIds {
    /// super_pod_id and its servers, in the order in which they are to be listed.
    std::vector<QPair<QString, std::vector<QString>>> superPods;
    /// super_device_id by server_id and device_id, for the devices whose entry does not carry one.
    QHash<QPair<QString, int>, QString> superDeviceIds;
};

/// Converts version 1.0 (or a form that convertToServerList() converts), or version 1.2 without
/// super_pod_list, to version 1.2. Errors: a server in no super pod or in two, a super pod with a server that
/// the table lacks, a device without super_device_id; another form; super pods that the table has already.
Result<RankTable> convertToSuperPodList(const RankTable &table, const SuperPodIds &ids);

} // namespace rankdeck
