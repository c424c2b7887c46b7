// A library for LD_PRELOAD that prints whenever a program starts, and whenever one ends: at once and by way
// of the C library's buffer, and without a line's end.

#include <cstdio>
#include <cstring>

#include <unistd.h>

namespace
{

constexpr char words[] = "rankdeck-runs of the chatty library";

struct Chatter {
    Chatter()
    {
        std::printf("%s (kept)", static_cast<const char *>(words));
        if (write(STDOUT_FILENO, static_cast<const char *>(words),
                  std::strlen(static_cast<const char *>(words))) < 0)
            std::perror("chatty library");
    }
};

const Chatter chatter;

} // namespace
