#pragma once

#include "ranktable/ranktable.h"
#include "result.h"

#include <QByteArray>

namespace rankdeck
{

/// A table as JSON text in its own form: known keys first, then the others; counts from the lists; two spaces
/// of indent; string values, in form RankList numbers. What was read from the text is equal to `table`. Every
/// device must have a rank, except in form GroupList.
QByteArray toJson(const RankTable &table);

/// Write `content` under a temporary name beside `path`, then rename: a reader never sees half a table.
/// Folders are made as needed. Returns the path.
Result<QString> writeRankTable(const QByteArray &content, const QString &path);

} // namespace rankdeck
