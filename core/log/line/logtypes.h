#pragma once

#include "base/strongnumber.h"

#include <QtGlobal>

namespace rankdeck
{

/// 0-based line of a log file.
using LineNumber = StrongNumber<struct LineNumberTag, qint64>;
/// Position in a log file, bytes.
using ByteOffset = StrongNumber<struct ByteOffsetTag, qint64>;

} // namespace rankdeck
