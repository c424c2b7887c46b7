#pragma once

#include "result.h"

#include <QString>

#include <optional>

namespace rankdeck
{

/// End a run in order and wait for it: a live one through its supervisor; of one that lost it what is still
/// alive on this machine. Runs an event loop of its own.
/// Error: it could not be asked, or not all of it could be ended.
std::optional<Error> endRun(const QString &directory);

} // namespace rankdeck
