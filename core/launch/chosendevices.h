#pragma once

#include "launch/launchspec.h"

#include <QList>

#include <optional>

namespace rankdeck
{

/// `spec` with its ranks on these devices of this machine: as many of the first as it starts ranks here, or,
/// where there are fewer, one rank on each of them. ASCEND_RT_VISIBLE_DEVICES says which.
/// @param devices logical ids, ascending.
/// Nothing where that does not choose them: davincirun's rank table does, a launch for several nodes is none
/// for this machine's devices alone, and there is no device.
std::optional<LaunchSpec> onDevices(LaunchSpec spec, const QList<int> &devices);

} // namespace rankdeck
