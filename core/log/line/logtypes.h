#pragma once

#include "base/strongnumber.h"

#include <QtGlobal>

#include <algorithm>
#include <array>

namespace rankdeck
{

/// Returns the SGR parameters that colour the label of a rank where several are shown together, in a terminal
/// or a window: eight colours in turn, without red and yellow, which mean severity.
/// @param member 0-based among the ranks shown; a negative one counts as 0.
inline QByteArrayView rankColor(int member)
{
    static constexpr std::array<QByteArrayView, 8> colors{"36", "32", "34", "35", "96", "92", "94", "95"};
    return colors[std::size_t(std::max(0, member)) % colors.size()];
}

/// SGR parameters for the label of a line that several ranks printed alike.
inline constexpr QByteArrayView severalRanksColor("1");

/// 0-based line of a log file.
using LineNumber = StrongNumber<struct LineNumberTag, qint64>;
/// Position in a log file, bytes.
using ByteOffset = StrongNumber<struct ByteOffsetTag, qint64>;

} // namespace rankdeck
