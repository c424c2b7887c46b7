// A rank of the launch benchmark: rank FILE WORLD_SIZE. Notes when its first instruction ran
// (CLOCK_MONOTONIC, ns) and ends once all ranks have, as ranks that form a process group do. FILE: a count, a
// mark that all are there (32 bits each), then a time a rank.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace
{

/// Beginning of the file; the times follow.
struct Board {
    std::atomic<std::uint32_t> arrived;
    std::atomic<std::uint32_t> complete;
};

} // namespace

int main(int argc, char *argv[])
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int worldSize = argc == 3 ? std::atoi(argv[2]) : 0;
    const int file = worldSize > 0 ? open(argv[1], O_RDWR) : -1;
    const std::size_t size = sizeof(Board) + static_cast<std::size_t>(worldSize) * sizeof(std::int64_t);
    void *const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return 2;
    auto *const board = static_cast<Board *>(memory);
    const std::uint32_t place = board->arrived.fetch_add(1);
    if (place >= static_cast<std::uint32_t>(worldSize))
        return 3;
    reinterpret_cast<std::int64_t *>(board + 1)[place] = now.tv_sec * 1'000'000'000LL + now.tv_nsec;
    if (place + 1 == static_cast<std::uint32_t>(worldSize)) {
        board->complete = 1;
        syscall(SYS_futex, &board->complete, FUTEX_WAKE, worldSize, nullptr, nullptr, 0);
    }
    while (board->complete == 0)
        syscall(SYS_futex, &board->complete, FUTEX_WAIT, 0, nullptr, nullptr, 0);
    return 0;
}
