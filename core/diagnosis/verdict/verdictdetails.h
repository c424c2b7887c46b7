#pragma once

#include "diagnosis/verdict/verdict.h"
#include "log/line/loglinereader.h"

namespace rankdeck
{

struct RunState;

/// Adds to the verdict on a rank that hung what it left itself: the step that it reached, how long it had
/// been silent when another gave up, the last line of its log as the first evidence, and its stacks as they
/// were taken last. Reads its log once more.
/// @param reported when the first of those that waited for it said so; nothing if that is not known.
void addHangDetails(Verdict &verdict, const RunState &state, const std::optional<LogTime> &reported);

/// Returns a sentence on how much of a card others hold, from the error of a process that got no memory of
/// it: "Others hold 56 of 61 GiB of this card." Empty if the text is no such error, or if others hold little.
/// Source: the texts of torch, torch_npu's NPUCachingAllocator.cpp and c10's CUDACachingAllocator.cpp.
QString othersOnCard(const QString &error);

} // namespace rankdeck
