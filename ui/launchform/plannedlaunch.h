#pragma once

#include "launch/hostfacts.h"
#include "launchform/previewresult.h"

namespace rankdeck
{

/// The plan of a spec, or why there is none, and what of this machine it was made of.
struct PlannedLaunch {
    PreviewResult preview;
    HostFacts facts;
};

/// Reads files and may wait for a name to be looked up: not for the GUI thread.
/// @param chip whose rules the rank table is checked by.
PlannedLaunch plannedLaunch(const LaunchSpec &spec, Chip chip);

} // namespace rankdeck
