#pragma once

#include "result.h"

#include <optional>

namespace rankdeck
{

/// Why no window can be opened, if so. To be asked before QApplication is made, which would abort.
std::optional<Error> missingDisplay();

/// What has to be set before QApplication is made: cheap on the wire, and sharp at fractional scales.
void prepareDisplay();

} // namespace rankdeck
