#pragma once

#include "diagnosis/verdict/verdict.h"
#include "log/line/loglinereader.h"

namespace rankdeck
{

struct RunState;

/// Adds a hung rank's own traces to the verdict: the last step it reached, how long it had been silent when
/// another rank timed out, the last line of its log as the first evidence, and its last stacks. Reads its log
/// again.
/// @param reported when the first of the ranks that waited for it reported that; nothing if not known.
void addHangDetails(Verdict &verdict, const RunState &state, const std::optional<LogTime> &reported);

/// Returns a sentence on the memory of a card, from the error of a process that got none: "Other processes
/// use 56 of 61 GiB of this card.", or that no card has as much as it asked for. Empty for other texts, or if
/// others use little. Source: torch, torch_npu's NPUCachingAllocator.cpp, c10's CUDACachingAllocator.cpp.
Sentence memoryOnCard(const QString &error);

} // namespace rankdeck
