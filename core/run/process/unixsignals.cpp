#include "run/process/unixsignals.h"

#include "run/process/exitstatus.h"

#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace rankdeck
{

// A handler may do little more than write a byte; both ends are for the whole process.
static int writeEnd = -1;
static int readEnd = -1;

static void handle(int signalNumber)
{
    const int savedErrno = errno;
    const char number = static_cast<char>(signalNumber);
    // If the pipe is full, the reader is already woken.
    [[maybe_unused]] const ssize_t written = write(writeEnd, &number, 1);
    errno = savedErrno;
}

UnixSignals::UnixSignals(const QList<int> &signalNumbers)
{
    if (readEnd < 0) {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
            return;
        readEnd = ends[0];
        writeEnd = ends[1];
    }
    m_notifier = std::make_unique<QSocketNotifier>(readEnd, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        std::array<char, 64> numbers{};
        const ssize_t count = read(readEnd, numbers.data(), numbers.size());
        for (ssize_t index = 0; index < count; ++index)
            Q_EMIT received(numbers[static_cast<std::size_t>(index)]);
    });
    for (const int number : signalNumbers) {
        struct sigaction action = {};
        action.sa_handler = handle;
        action.sa_flags = SA_RESTART;
        sigaction(number, &action, nullptr);
    }
}

int signalNumber(const QString &name)
{
    const QString whole = name.startsWith("SIG"_L1) ? name : u"SIG"_s + name;
    for (int number = 1; number < SIGRTMIN; ++number) {
        if (number != SIGKILL && number != SIGSTOP && ExitStatus::signalName(number) == whole)
            return number;
    }
    return 0;
}

bool isIgnored(int number)
{
    struct sigaction action = {};
    return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void dropForeignHandlers()
{
    for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
        struct sigaction action = {};
        const bool isHandled = sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_IGN;
        if (isHandled && action.sa_handler != SIG_DFL)
            signal(number, SIG_DFL);
    }
}

} // namespace rankdeck
