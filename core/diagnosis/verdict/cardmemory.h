#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns a sentence on how much of a card others hold, from the error of a process that got no memory of
/// it: "Others hold 56 of 61 GiB of this card." Empty if the text is no such error, or if others hold little.
/// Source: the texts of torch, torch_npu's NPUCachingAllocator.cpp and c10's CUDACachingAllocator.cpp.
QString othersOnCard(const QString &error);

} // namespace rankdeck
