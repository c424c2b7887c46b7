#pragma once

namespace rankdeck
{

/// Tells screen readers what the cell or heading at the cursor of a device grid says at the moment when they
/// ask, not when the cursor came there. Call it once.
void installGridAccessibility();

} // namespace rankdeck
