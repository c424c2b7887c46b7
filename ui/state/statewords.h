#pragma once

#include "run/runstate.h"

#include <QString>

namespace rankdeck
{

/// The state's word in the user's language: "running". Core's phaseWord() is the English one that files use.
QString shownWord(RunPhase phase);
QString shownWord(RankPhase phase);
/// With a sign, as colour is not to be the only one: "‖ suspended". Empty for none.
QString shownWord(Hold hold);

} // namespace rankdeck
