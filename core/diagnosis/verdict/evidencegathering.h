#pragma once

#include "diagnosis/catalogue/errorcatalogue.h"
#include "diagnosis/verdict/verdictrules.h"

namespace rankdeck
{

struct RunState;

/// A case, and notes on what could not be read.
struct GatheredCase {
    Case evidence;
    QList<Sentence> notes; ///< Sentences.
};

/// Reads all that the processes of a run or a log directory have left: logs, error files, plogs of this
/// machine (joined by pid, or by the rank that HCCL logs). Reads several logs at a time, one for each CPU.
/// Blocks.
/// @param isCancelled called now and then from several threads; may be null.
GatheredCase gatherCase(const RunState &state, const ErrorCatalogue &catalogue,
                        const std::function<bool()> &isCancelled = {});

} // namespace rankdeck
