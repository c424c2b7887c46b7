#pragma once

#include <cstdio>
#include <cstdlib>

/// What must hold whatever the input; the fuzzer keeps an input that breaks it.
inline void demand(bool holds, const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    if (holds)
        return;
    std::fprintf(stderr, "%s:%d: this input breaks what must hold\n", file, line);
    std::abort();
}
