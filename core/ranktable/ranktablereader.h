#pragma once

#include "ranktable/ranktable.h"
#include "result.h"

#include <QByteArray>

namespace rankdeck
{

/// Read a rank table from text. `name` stands in the error as the place. A table that is still being written
/// (status other than "completed") may lack its server or group list and is returned with what it has.
/// Source of the forms: HCCL rank table configuration, templates 1 and 2.
Result<RankTable> parseRankTable(const QByteArray &text, const QString &name);

/// The text of a rank table file of at most 100 MB. Error: there is none, it cannot be read, it is larger.
Result<QByteArray> readRankTableText(const QString &path);

/// The same as parseRankTable() from a file.
Result<RankTable> readRankTable(const QString &path);

} // namespace rankdeck
