#pragma once

#include "launch/launchspec.h"
#include "result.h"

#include <QString>

#include <optional>

namespace rankdeck
{

/// Start `spec` now, before there is a window: through ssh building one takes seconds, and what holds a
/// connection to a display should start nothing. Returns the run directory; nothing when its rank table is
/// there but not completed yet, which is for the window to wait for. Needs a QCoreApplication. Error: nothing
/// was started.
std::optional<Result<QString>> launchEarly(const LaunchSpec &spec);

} // namespace rankdeck
