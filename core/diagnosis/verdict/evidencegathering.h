#pragma once

#include "diagnosis/verdict/linesigns.h"
#include "diagnosis/verdict/verdictrules.h"
#include "run/runstate.h"

#include <QStringList>

#include <functional>

namespace rankdeck
{

/// A case, and what could not be read of it.
struct GatheredCase {
    Case evidence;
    QStringList notes; ///< Sentences.
};

/// Read all that the processes of a run or a log directory have left: logs, error files, plogs of this
/// machine (joined by pid, or by the rank that HCCL says in them). Several logs at a time, as there are cpus.
/// Blocks.
/// @param isCancelled asked now and then from several threads; may be null.
GatheredCase gatherCase(const RunState &state, const LineSigns &signs,
                        const std::function<bool()> &isCancelled = {});

} // namespace rankdeck
