#pragma once

#include "result.h"

#include <QString>

#include <optional>

namespace rankdeck
{

/// What is wrong with a value of ASCEND_RT_VISIBLE_DEVICES, if anything: logical device ids with commas,
/// ascending, without blanks. The runtime silently drops everything from the first bad entry on. An empty
/// value is no list. Source: CANN, environment variables, ASCEND_RT_VISIBLE_DEVICES.
/// @param npuCount ids are below it; 0: not known.
std::optional<Error> problemWithVisibleDevices(const QString &value, int npuCount);

} // namespace rankdeck
