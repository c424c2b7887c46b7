#pragma once

#include "launch/planning/commonplan.h"

namespace rankdeck
{

// The flight recorders of torch and torch_npu keep the last collectives of each rank. Sources: torch_npu,
// ProcessGroupHCCL and its list of environment variables; torch, ProcessGroupNCCL and FlightRecorder. An
// older one ignores what it does not know.

/// Sets the variables that switch the recorders on, by --flight-recorder: each rank keeps 2,000 collectives,
/// dumps them when something is written to its pipe and at a time-out, and writes where it is every two
/// seconds. All their files are in the run directory. Variables that the user set, or unset, are left alone;
/// a note says which.
void setUpRecorders(LaunchPlan &plan, const LaunchGround &ground);

} // namespace rankdeck
