#pragma once

#include "ranktable/ranktable.h"
#include "result.h"

#include <QByteArray>

namespace rankdeck
{

/// The instances of a template 2 table in the order that davincirun numbers them: those of the first group by
/// the number after the last '-' of pod_name. Error: several instances and a pod_name that ends in no number.
Result<RankTable> orderInstances(const RankTable &table);

/// Template 2 (v0.1) to template 1 (v1.0), as davincirun converts: devices numbered from rank 0 in the order
/// of orderInstances(), grouped by server_id. A v1.0 table is returned as it is. Errors: as orderInstances().
Result<RankTable> convertToServerList(const RankTable &table);

/// A v1.0 table as JSON text: string values, server_count from the list, two spaces of indent.
/// Every device must have a rank (see convertToServerList).
QByteArray toJson(const RankTable &table);

/// Write `content` under a temporary name beside `path`, then rename: a reader never sees half a table.
/// Folders are made as needed. Returns the path.
Result<QString> writeRankTable(const QByteArray &content, const QString &path);

} // namespace rankdeck
