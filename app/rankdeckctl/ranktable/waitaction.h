#pragma once

#include "ranktable/ranktable.h"
#include "result.h"

#include <chrono>
#include <functional>

namespace rankdeck
{

struct WaitedTable {
    Result<RankTable> table;
    int signal = 0; ///< The signal that ended the waiting, or 0.
};

/// Wait for a table to be completed; SIGINT and SIGTERM end it. `onWaiting` hears the table's status once a
/// second.
WaitedTable waitForTable(const QString &path, std::chrono::seconds limit,
                         const std::function<void(const QString &status, int elapsedSeconds)> &onWaiting);

/// "Waiting for the rank table PATH (STATUS), N s" on standard error.
void sayWaiting(const QString &path, const QString &status, int elapsedSeconds);

} // namespace rankdeck
