#pragma once

#include <limits>
#include <vector>

namespace rankdeck
{

/// Stands for a row that is not there.
inline constexpr int noRow = std::numeric_limits<int>::min();

/// Rows of text moved apart so that none overlaps another, in their order from the top and no farther than
/// needed. Where not all have room between `top` and `bottom`, those that would overlap are left out.
std::vector<int> spreadRows(std::vector<int> rows, int top, int bottom, int height);

} // namespace rankdeck
