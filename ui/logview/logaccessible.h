#pragma once

namespace rankdeck
{

/// Makes the text that a log pane shows known to screen readers, put together only when one asks. Call it
/// once.
void installLogAccessibility();

} // namespace rankdeck
