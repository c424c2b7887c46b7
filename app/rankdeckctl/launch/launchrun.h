#pragma once

#include "base/result.h"

namespace rankdeck
{

struct LaunchPlan;
struct LaunchSpec;

/// Options of all launching commands, besides the launcher's own.
struct LaunchSwitches {
    bool detach = false;
    bool quiet = false;
    bool stopHolders = false; ///< End runs of ours that hold what this launch uses.
    bool raw = false;         ///< See LogsToPrint::isRaw.

    static LaunchSwitches from(const QStringList &found);
};

/// Starts the run and watches it to its end. With --detach prints its name and returns, over named nodes once
/// they have started it or failed. Returns the program's exit code.
int launchRun(const LaunchSpec &spec, const LaunchPlan &plan, const LaunchSwitches &switches);

/// Prints what would be started, as text or as JSON.
void printPlan(const LaunchPlan &plan, bool asJson);

} // namespace rankdeck
