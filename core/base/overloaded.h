#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// One visitor of a variant made of a function for each of its kinds.
template <typename... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};

template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

} // namespace rankdeck
