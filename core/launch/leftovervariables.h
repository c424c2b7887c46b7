#pragma once

#include "launch/launchplan.h"

#include <QProcessEnvironment>
#include <QStringList>

namespace rankdeck
{

/// What an earlier launch may have left in the environment (MS_*, RANK_TABLE_FILE), one sentence for what the
/// plan replaces or removes and one for what reaches the processes as it is. Empty when there is nothing.
QStringList leftoverNotes(const LaunchPlan &plan, const QProcessEnvironment &environment);

} // namespace rankdeck
