#pragma once

#include "base/strongnumber.h"

#include <QtGlobal>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>

namespace rankdeck
{

/// Number of different colours of rankColor().
inline constexpr std::size_t rankColors = 12;

/// Returns the SGR parameters that colour the label of a rank where several are shown together, in a terminal
/// or a window: each far from the others and from red and yellow, which mean severity, on light and on dark.
/// @param member 0-based among the ranks shown; a negative one counts as 0.
inline QByteArrayView rankColor(int member)
{
    static constexpr std::array<QByteArrayView, rankColors> colors{
        "36",      "32",       "34",      "35",       "38;5;199", "38;5;101",
        "38;5;63", "38;5;131", "38;5;93", "38;5;161", "38;5;60",  "38;5;201"};
    return colors[std::size_t(std::max(0, member)) % colors.size()];
}

/// SGR parameters for the label of a line that several ranks printed alike.
inline constexpr QByteArrayView severalRanksColor("1");

/// How many bytes of a log are shown, as if it were not longer: a replay's time. May be changed in any
/// thread; who reads the log sees it at its next look. Null: the whole log.
using LogLimit = std::shared_ptr<const std::atomic<qint64>>;

/// Returns `size`, or the limit if that is less.
inline qint64 limited(qint64 size, const LogLimit &limit)
{
    return limit ? std::min(size, limit->load(std::memory_order_relaxed)) : size;
}

/// 0-based line of a log file.
using LineNumber = StrongNumber<struct LineNumberTag, qint64>;
/// Position in a log file, bytes.
using ByteOffset = StrongNumber<struct ByteOffsetTag, qint64>;

} // namespace rankdeck
