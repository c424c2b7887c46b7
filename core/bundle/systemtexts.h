#pragma once

#include "run/runstate.h"

#include <QByteArray>

#include <chrono>
#include <functional>

namespace rankdeck
{

/// versions.txt: of Rankdeck, Qt and the kernel of this machine, of the launch's python3, and what the files
/// of CANN and of the driver say. Asks the interpreter, which takes a moment. Blocks.
QByteArray versionsText(const RunState &state);

/// npu-smi.txt: what `npu-smi info` prints on this machine now, or a sentence on why it does not. Blocks for
/// at most `limit`.
QByteArray npuSmiText(std::chrono::milliseconds limit, const std::function<bool()> &isCancelled = {});

/// environment.txt: the variables that the launch sets for its processes; those of all come first.
/// @param plan its values are masked already.
QByteArray environmentText(const LaunchPlan &plan);

} // namespace rankdeck
