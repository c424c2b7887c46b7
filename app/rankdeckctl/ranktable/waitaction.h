#pragma once

#include "base/result.h"
#include "ranktable/table/ranktable.h"

#include <chrono>
#include <functional>

namespace rankdeck
{

struct WaitedTable {
    Result<RankTable> table;
    int signal = 0; ///< The signal that ended the waiting, or 0.
};

/// Waits for a table to be completed; SIGINT and SIGTERM end it. `onWaiting` gets the table's status once a
/// second.
WaitedTable waitForTable(const QString &path, std::chrono::seconds limit,
                         const std::function<void(const QString &status, int elapsedSeconds)> &onWaiting);

/// Prints "Waiting for the rank table PATH (STATUS), N s" on standard error.
void sayWaiting(const QString &path, const QString &status, int elapsedSeconds);

} // namespace rankdeck
