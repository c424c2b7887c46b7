#include "background/together.h"

#include <system_error>
#include <thread>
#include <vector>

namespace rankdeck
{

void workTogether(std::size_t others, const std::function<void()> &work)
{
    std::vector<std::jthread> threads;
    try {
        while (threads.size() < others)
            threads.emplace_back(work);
    } catch (const std::system_error &) { // NOLINT(bugprone-empty-catch): those that run do it.
    }
    work();
}

} // namespace rankdeck
