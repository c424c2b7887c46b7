#pragma once

#include "base/result.h"
#include "ranktable/table/ranktable.h"

#include <chrono>

namespace rankdeck
{

struct WaitedTable {
    Result<RankTable> table;
    int signal = 0; ///< The signal that ended the waiting, or 0.
};

/// Waits for a table to be completed; SIGINT and SIGTERM stop the wait. Prints its reason for waiting on
/// standard error: at once, when the reason changes, and once a minute.
/// @param limitOption the option that sets `limit`, for the error when the time is up.
WaitedTable waitForTable(const QString &path, std::chrono::seconds limit, const QString &limitOption);

} // namespace rankdeck
