#include "run/straykiller.h"

#include "run/strays.h"

#include <csignal>

namespace rankdeck
{

namespace
{

constexpr int sweepMs = 20;
/// A process that SIGKILL has not ended by then hangs in the kernel.
constexpr int unkillableMs = 5000;

} // namespace

StrayKiller::StrayKiller(QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(sweepMs);
    connect(&m_timer, &QTimer::timeout, this, &StrayKiller::sweep);
}

void StrayKiller::start()
{
    m_sinceStart.start();
    sweep();
}

void StrayKiller::sweep()
{
    const std::vector<ProcessInfo> strays =
        listStrays({}, [this](pid_t pid, const ExitStatus &status) { Q_EMIT reaped(pid, status); });
    const bool givesUp = m_sinceStart.elapsed() > unkillableMs;
    for (const ProcessInfo &stray : strays) {
        ::kill(stray.pid, SIGKILL);
        if (m_told.insert(stray.pid).second)
            Q_EMIT killed(stray);
        else if (givesUp)
            Q_EMIT failedToKill(stray);
    }
    if (strays.empty() || givesUp)
        Q_EMIT done();
    else
        m_timer.start();
}

} // namespace rankdeck
