#pragma once

#include "result.h"

#include <QString>

namespace rankdeck
{

/// The rankdeckctl program, whose supervisor and agent roles runs need: $RANKDECK_CTL, else beside this
/// program, else where it was installed, else in PATH.
Result<QString> rankdeckctlPath();

} // namespace rankdeck
