#pragma once

#include "base/result.h"
#include "base/tr.h"

#include <optional>

namespace rankdeck
{

/// The streams of a process that go to a file; torch elastic's Std, a bit mask.
enum class Streams { None = 0, Out = 1, Error = 2, All = 3 };

constexpr bool contains(Streams streams, Streams stream)
{
    return (static_cast<int>(streams) & static_cast<int>(stream)) == static_cast<int>(stream);
}
constexpr Streams with(Streams streams, Streams added)
{
    return static_cast<Streams>(static_cast<int>(streams) | static_cast<int>(added));
}
constexpr Streams without(Streams streams, Streams taken)
{
    return static_cast<Streams>(static_cast<int>(streams) & ~static_cast<int>(taken));
}

/// NONE, OUT, ERR or ALL.
QString streamsWord(Streams streams);
/// Reads 0-3 or one of the words; returns nothing for other text.
std::optional<Streams> streamsFrom(const QString &text);

} // namespace rankdeck
