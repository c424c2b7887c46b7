#pragma once

#include "launch/launchplan.h"
#include "launch/launchspec.h"

#include <QStringList>

namespace rankdeck
{

/// Options of every launching command that are not the launcher's own.
struct LaunchSwitches {
    bool detach = false;
    bool quiet = false;
    bool stopHolders = false; ///< End runs of ours that hold what this launch uses.

    static QStringList names();
    static LaunchSwitches from(const QStringList &found);
    static QString help();
};

/// Start the run and watch it to its end, or print its name and return with --detach. Returns the program's
/// exit code.
int launchRun(const LaunchSpec &spec, const LaunchPlan &plan, const LaunchSwitches &switches);

/// What would be started, for a reader or for a program.
void printPlan(const LaunchPlan &plan, bool asJson);

} // namespace rankdeck
