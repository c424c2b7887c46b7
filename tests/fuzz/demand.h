#pragma once

#include <cstdlib>

/// What must hold whatever the input; the fuzzer keeps an input that breaks it.
inline void demand(bool holds)
{
    if (!holds)
        std::abort();
}
