#pragma once

#include "launch/launchplan.h"

#include <QString>

namespace rankdeck
{

// A launch with restarts is planned once for all its attempts: what differs between them is the attempt's
// number, and attemptPlaceholder stands for it in the plan.

/// The number of an attempt: 0 for the first, one more for each restart.
inline constexpr char attemptPlaceholder[] = "{attempt}";

/// Tells a rank how often its group has been restarted; torch elastic's name.
inline constexpr char restartCountVariable[] = "TORCHELASTIC_RESTART_COUNT";

/// The folder that keeps an attempt's files apart, "attempt_3", in torch's words; `attempt` may be the
/// placeholder.
QString attemptFolder(const QString &attempt);

/// `plan` as its attempt with this number is carried out, with the hooks around it. A plan without restarts
/// is that already.
LaunchPlan forAttempt(LaunchPlan plan, int attempt);

/// A path of `plan` in the attempt with this number.
QString forAttempt(const LaunchPlan &plan, QString path, int attempt);

} // namespace rankdeck
