#pragma once

#include "run/record/runphase.h"

namespace rankdeck
{

/// Returns the state's word in the user's language: "running". phaseWord() is the English one for files.
QString shownWord(RunPhase phase);

} // namespace rankdeck
