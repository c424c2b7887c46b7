#pragma once

#include "base/result.h"

namespace rankdeck
{

/// Why no window can be opened, if so. To be asked before QApplication is made, which would abort.
std::optional<Error> missingDisplay();

/// Whether the X display that DISPLAY names is reached through a network, which includes ssh -X.
bool isDisplayRemote();

/// What has to be set before QApplication is made: cheap on the wire, and sharp at fractional scales.
/// @param fastStart leave out what costs 15 round trips and few need: several screens, and smooth scrolling.
void prepareDisplay(bool fastStart);

} // namespace rankdeck
