#pragma once

#include "base/result.h"
#include "ranktable/table/ranktable.h"

namespace rankdeck
{

/// Returns the table as JSON text in its own form: known keys first, then the others; counts from the lists;
/// two spaces of indent; string values, in form RankList numbers. Reading the text gives an equal table.
/// Every device must have a rank, except in form GroupList.
QByteArray toJson(const RankTable &table);

/// Writes `content` and renames it to `path`: nobody reads half a table. Makes folders. Returns the path.
Result<QString> writeRankTable(const QByteArray &content, const QString &path);

} // namespace rankdeck
