#pragma once

#include "optionparser/optionparser.h"
#include "ranktable/table/finding.h"
#include "ranktable/table/ranktable.h"

#include <chrono>

namespace rankdeck
{

/// Returns "FILE:LINE:COLUMN: error: WHAT MEND [EI0014] (rule)", as compilers write it and editors read it.
QString findingLine(const QString &file, const Finding &finding);

/// Warns on standard error of the errors that the communication library will find in a launch's table. The
/// launch goes on: the check may be wrong, and the ranks will show it.
void warnAboutTable(const QString &path);

/// Returns an error if there is no such file.
std::optional<Error> missingFile(const QString &path);

/// Reads a completed table. Fails if the file is missing, unreadable or unfinished.
Result<RankTable> readFinishedTable(const QString &path);

struct WaitedTable {
    Result<RankTable> table;
    int signal = 0; ///< The signal that ended the waiting, or 0.
};

/// Waits for a table to be completed; SIGINT and SIGTERM stop the wait. Prints its reason for waiting on
/// standard error: at once, when the reason changes, and once a minute.
/// @param limitOption the option that sets `limit`, for the error when the time is up.
WaitedTable waitForTable(const QString &path, std::chrono::seconds limit, const QString &limitOption);

/// A table that an action made, and what it replaces.
struct TableResult {
    RankTable table;
    QString fileName; ///< When -o names a folder.
    RankTable before = {};
    QString beforeName = {}; ///< Empty: there is nothing to compare with.
};

/// Writes, prints or compares the table, as -o, --output, --force and --diff say. Warns if the check finds
/// errors in it. Returns the exit code.
int writeResult(const TableResult &result, const Options &options);

} // namespace rankdeck
