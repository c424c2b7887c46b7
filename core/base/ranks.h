#pragma once

#include "base/strongnumber.h"

namespace rankdeck
{

/// Global rank, 0 .. world size - 1.
using Rank = StrongNumber<struct RankTag>;
/// Rank within one node, 0 .. ranks of the node - 1.
using LocalRank = StrongNumber<struct LocalRankTag>;
/// An NPU's id. Physical in a rank table; those that a launcher passes on may be logical (see ProcessPlan).
using DeviceId = StrongNumber<struct DeviceIdTag>;

} // namespace rankdeck
