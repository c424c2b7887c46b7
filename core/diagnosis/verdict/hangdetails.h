#pragma once

#include "diagnosis/verdict/verdict.h"
#include "log/line/loglinereader.h"

namespace rankdeck
{

/// Adds to the verdict on a rank that hung what it left itself: the step that it reached, how long it had
/// been silent when another gave up, the last line of its log as the first evidence, and its stacks as they
/// were taken last. Reads its log once more.
/// @param reported when the first of those that waited for it said so; nothing if that is not known.
void addHangDetails(Verdict &verdict, const RunState &state, const std::optional<LogTime> &reported);

} // namespace rankdeck
