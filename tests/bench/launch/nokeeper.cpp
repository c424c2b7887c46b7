// Loaded before the C library: with NO_KEEPER set, the page that the keeper shares with its guardian cannot
// be had, and the launch goes on without a keeper, as it does where the system lacks the means.
#include <cerrno>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" void *mmap(void *address, size_t length, int protection, int flags, int file,
                      off_t offset) noexcept
{
    if (length == sizeof(pid_t) && flags == (MAP_SHARED | MAP_ANONYMOUS) && getenv("NO_KEEPER")) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return reinterpret_cast<void *>(syscall(SYS_mmap, address, length, protection, flags, file, offset));
}
