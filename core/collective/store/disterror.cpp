#include "collective/store/disterror.h"

#include <system_error>

namespace rankdeck
{

DistError noThreadError()
{
    return DistError(tr("no thread can be started: a limit of processes (pids.max, ulimit -u) is reached"));
}

std::thread inOwnThread(std::function<void()> work)
{
    try {
        return std::thread(std::move(work));
    } catch (const std::system_error &) {
        throw noThreadError();
    }
}

} // namespace rankdeck
