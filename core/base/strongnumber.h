#pragma once

#include "base/tr.h"

#include <QHashFunctions>

#include <compare>

namespace rankdeck
{

/// A number that cannot be passed where another kind of number is meant: a rank is not a device id.
template <typename Tag, typename Value = int>
struct StrongNumber {
    Value value = 0;

    constexpr StrongNumber() = default;
    constexpr explicit StrongNumber(Value number)
        : value(number)
    {
    }
    constexpr auto operator<=>(const StrongNumber &) const = default;

    friend size_t qHash(StrongNumber number, size_t seed = 0) { return ::qHash(number.value, seed); }
};

} // namespace rankdeck
