// The floor of the launch benchmark: spawnloop N PROGRAM ARGUMENT… starts N processes, nothing else, and
// waits.

#include <cstdlib>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
    const int count = argc > 2 ? std::atoi(argv[1]) : 0;
    for (int rank = 0; rank < count; ++rank) {
        if (posix_spawn(nullptr, argv[2], nullptr, nullptr, argv + 2, environ) != 0)
            return 1;
    }
    while (wait(nullptr) > 0) {
    }
    return count > 0 ? 0 : 2;
}
