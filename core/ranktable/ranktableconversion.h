#pragma once

#include "ranktable/ranktable.h"
#include "result.h"

#include <QByteArray>

namespace rankdeck
{

/// Template 2 (v0.1) to template 1 (v1.0), as davincirun converts: instances ordered by the number after the last
/// '-' of pod_name, devices numbered from rank 0 in that order, grouped by server_id. A v1.0 table is returned as
/// it is. Error: a pod_name that ends in no number.
Result<RankTable> convertToServerList(const RankTable &table);

/// A v1.0 table as JSON text: string values, server_count from the list, two spaces of indent.
/// Every device must have a rank (see convertToServerList).
QByteArray toJson(const RankTable &table);

/// Write `content` under a temporary name beside `path`, then rename: a reader never sees half a table.
/// Folders are made as needed. Returns the path.
Result<QString> writeRankTable(const QByteArray &content, const QString &path);

} // namespace rankdeck
