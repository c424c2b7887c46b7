#pragma once

#include "diagnosis/progress/progresspoint.h"

#include <optional>
#include <string_view>

namespace rankdeck
{

/// What a bar of tqdm tells, also as PyTorch Lightning shows it: "8%|##  | 1999/24128 [1:52:09<20:27:23,
/// 3.33s/it, loss=0.5]". One that names another work than training, such as "Loading checkpoint shards", is
/// none.
std::optional<ProgressPoint> readProgressBar(std::string_view line);

} // namespace rankdeck
