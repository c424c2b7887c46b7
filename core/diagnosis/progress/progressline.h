#pragma once

#include "diagnosis/progress/progresspoint.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace rankdeck
{

/// Bytes; what stands farther behind is not looked at.
inline constexpr std::size_t longestProgressLine = 16 * 1024;

/// Whether a line can be one that readProgressLine() or readProgressBar() read: words that each of these has
/// some of. Costs next to nothing.
bool mayTellProgress(std::string_view line);

/// What a line with names and values tells of progress, as LossMonitor and TimeMonitor of MindSpore,
/// MindFormers, Megatron and MindSpeed, DeepSpeed, the Hugging Face Trainer and ms-swift, mindyolo,
/// OpenMMLab, torchtitan, verl and many scripts write it: `key: value`, `key=value`, `key value`, `key is
/// value`, `key:[n/m]`. A step counts together with a loss, a duration, a throughput or a learning rate, an
/// epoch with a loss; a duration per step also alone. What stands behind words of validation is left aside.
std::optional<ProgressPoint> readProgressLine(std::string_view line);

/// All that a text tells, whether it comes to a point or not.
ProgressPoint progressValues(std::string_view text);

} // namespace rankdeck
