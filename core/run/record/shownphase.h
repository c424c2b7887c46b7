#pragma once

#include "run/record/runstate.h"

namespace rankdeck
{

/// Returns the state's word in the user's language: "running". phaseWord() is the English one for files.
QString shownWord(RunPhase phase);

} // namespace rankdeck
