// A rank of the failure benchmark: rank FILE. It has a child in its process group and a grandchild in a
// session of its own whose parent is gone, notes all three pids and sleeps. Rank 3, by order of arrival,
// waits for SIGUSR1, notes when (CLOCK_MONOTONIC, ns) and exits with 3. FILE: as Board, of size for all
// ranks.

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

struct Pids {
    std::int32_t rank;
    std::int32_t child;
    std::int32_t grandchild;
};

/// Beginning of the file; the pids follow.
struct Board {
    std::atomic<std::uint32_t> arrived;
    std::uint32_t unused;
    std::int64_t failedAt;
};

constexpr std::uint32_t failing = 3;

[[noreturn]] void sleepForever()
{
    for (;;)
        pause();
}

} // namespace

int main(int argc, char *argv[])
{
    const int file = argc == 2 ? open(argv[1], O_RDWR) : -1;
    struct stat info {
    };
    if (fstat(file, &info) != 0)
        return 2;
    void *const memory =
        mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return 2;
    auto *const board = static_cast<Board *>(memory);
    const std::uint32_t place = board->arrived.fetch_add(1);
    Pids &pids = reinterpret_cast<Pids *>(board + 1)[place];
    const pid_t child = fork();
    if (child == 0)
        sleepForever();
    pids.child = child;
    const pid_t between = fork();
    if (between == 0) {
        setsid();
        const pid_t grandchild = fork();
        if (grandchild == 0)
            sleepForever();
        pids.grandchild = grandchild;
        _exit(0);
    }
    waitpid(between, nullptr, 0);
    sigset_t told;
    sigemptyset(&told);
    sigaddset(&told, SIGUSR1);
    sigprocmask(SIG_BLOCK, &told, nullptr);
    pids.rank = getpid();
    if (place != failing)
        sleepForever();
    int number = 0;
    sigwait(&told, &number);
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    board->failedAt = now.tv_sec * 1'000'000'000LL + now.tv_nsec;
    _exit(3);
}
