#pragma once

namespace rankdeck
{

/// Makes the text that a terminal shows known to screen readers, put together only when one asks. Call it
/// once.
void installTerminalAccessibility();

} // namespace rankdeck
