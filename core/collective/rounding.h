#pragma once

#include <cmath>

namespace rankdeck
{

/// A measured figure in as many digits as mean something, to be read by people: 21.3, 0.213, 1234.
inline double rounded(double value)
{
    if (value <= 0)
        return 0;
    const double factor = std::pow(10.0, 3 - std::floor(std::log10(value)));
    return factor >= 1 ? std::round(value * factor) / factor : std::round(value);
}

} // namespace rankdeck
