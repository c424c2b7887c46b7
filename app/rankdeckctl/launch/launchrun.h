#pragma once

#include "base/result.h"
#include "base/tr.h"

#include <optional>

namespace rankdeck
{

struct LaunchPlan;
struct LaunchSpec;

/// Before a launch, warns of processes that use its devices, with the command that stops Rankdeck's runs, or
/// stops these. For named nodes there are no warnings here: their preparation writes them into the journal.
/// @param stop whether to stop Rankdeck's runs that use devices or the port of `plan`.
/// Fails if one of them could not be stopped.
std::optional<Error> settleHolders(const LaunchSpec &spec, const LaunchPlan &plan, bool stop);

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
