#pragma once

#include "ranktable/ranktable.h"
#include "result.h"

#include <QByteArray>

namespace rankdeck
{

/// Read a rank table of any form from text. Error: it is no JSON, no rank table, or lacks what a launch
/// needs; at "NAME:LINE:COLUMN POINTER". What else may be wrong with it is the matter of checkRankTable().
/// Comments and trailing commas are passed over. A table that is still being written (status other than
/// "completed") may lack its lists and is returned with what it has. Source of the forms: HCCL user guide,
/// rank table configuration; ModelArts (template 2).
Result<RankTable> parseRankTable(const QByteArray &text, const QString &name);

/// The text of a rank table file of at most 100 MB. Error: there is none, it cannot be read, it is larger.
Result<QByteArray> readRankTableText(const QString &path);

/// The same as parseRankTable() from a file.
Result<RankTable> readRankTable(const QString &path);

} // namespace rankdeck
