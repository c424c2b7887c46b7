#pragma once

#include "run/record/runstate.h"

namespace rankdeck
{

/// Returns the sentence that says what is to be seen in a built-in demo now; empty for any other run.
/// @param step that the furthest rank has done; 0 before the first.
QString demoCaption(const RunState &state, qint64 step);

} // namespace rankdeck
