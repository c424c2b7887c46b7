#pragma once

#include "base/result.h"
#include "ranktable/table/ranktable.h"

namespace rankdeck
{

/// Reads a rank table of any form from text. Fails if it is not JSON, not a rank table, or lacks a value that
/// a launch needs; the error is at "NAME:LINE:COLUMN POINTER". checkRankTable() reports all other faults.
/// Ignores comments and trailing commas. A table that is still being written (status other than "completed")
/// may lack its lists and is returned with its present contents. Source of the forms: HCCL user guide, rank
/// table configuration; ModelArts (template 2).
Result<RankTable> parseRankTable(const QByteArray &text, const QString &name);

/// Reads the text of a rank table file. Fails if it is missing, unreadable or larger than 100 MB.
Result<QByteArray> readRankTableText(const QString &path);

/// Returns true if the text is blank or ends amid its JSON: a file that is being written.
bool isCutOff(const QByteArray &text);

/// Reads a rank table from a file; see parseRankTable() and readRankTableText().
Result<RankTable> readRankTable(const QString &path);

} // namespace rankdeck
