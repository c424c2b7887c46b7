#include "run/straykiller.h"

#include "run/endingtimes.h"

#include <csignal>

namespace rankdeck
{

StrayKiller::StrayKiller(QObject *parent)
    : QObject(parent)
{
    m_look.setSingleShot(true);
    connect(&m_look, &QTimer::timeout, this, [this] { sweep(Reach::Children); });
    m_deeper.setSingleShot(true);
    m_deeper.setInterval(lookDeeperAfter);
    connect(&m_deeper, &QTimer::timeout, this, [this] { sweep(Reach::Descendants); });
    m_limit.setSingleShot(true);
    m_limit.setInterval(unkillableAfter);
    connect(&m_limit, &QTimer::timeout, this, &StrayKiller::giveUp);
}

void StrayKiller::start()
{
    m_limit.start();
    m_deeper.start();
    sweep(Reach::Children);
}

void StrayKiller::childEnded()
{
    if (m_limit.isActive())
        m_look.start(0); // Many may end at once.
}

/// A process that is started after the look is the child of one that was killed, and comes here when that has
/// ended.
void StrayKiller::sweep(Reach reach)
{
    const std::vector<ProcessInfo> strays =
        listStrays(reach, {}, [this](pid_t pid, const ExitStatus &status) { Q_EMIT reaped(pid, status); });
    for (const ProcessInfo &stray : strays) {
        ::kill(stray.pid, SIGKILL);
        if (m_told.insert(stray.pid).second)
            Q_EMIT killed(stray);
    }
    if (strays.empty())
        finish();
}

void StrayKiller::giveUp()
{
    for (const ProcessInfo &stray : listStrays(Reach::Descendants, {}))
        Q_EMIT failedToKill(stray);
    finish();
}

void StrayKiller::finish()
{
    m_look.stop();
    m_deeper.stop();
    m_limit.stop();
    Q_EMIT done();
}

} // namespace rankdeck
