#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns what separates the entries of a list that a user reads: ", " in English.
inline QString listComma()
{
    return tr(", ", "between the entries of a list");
}

} // namespace rankdeck
