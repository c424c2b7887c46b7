#pragma once

#include "device/processjoin.h"

namespace rankdeck
{

/// What pids mean here, of all processes that are seen: for whoever wants to know a chip's processes by name
/// and user, whosesoever they are. On a host nothing is read.
PidView pidViewOfAll();

} // namespace rankdeck
