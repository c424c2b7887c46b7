#include "agent/channel/silence.h"

namespace rankdeck
{

constexpr std::chrono::milliseconds betweenTicks{1000};
/// A tick that comes so late finds that this process did not run.
constexpr std::chrono::milliseconds wasAsleepAfter = 4 * betweenTicks;

Silence::Silence()
    : m_tick(this)
{
    m_tick.setInterval(betweenTicks);
    connect(&m_tick, &QTimer::timeout, this, &Silence::look);
}

void Silence::setLimit(std::chrono::milliseconds limit)
{
    m_limit = limit;
    if (m_limit.count() == 0)
        stop();
}

void Silence::start()
{
    m_silent = {};
    if (m_tick.isActive() || m_limit.count() == 0)
        return;
    m_sinceTick.start();
    m_tick.start();
}

void Silence::look()
{
    const std::chrono::milliseconds passed(m_sinceTick.restart());
    m_silent = passed > wasAsleepAfter ? std::chrono::milliseconds(0) : m_silent + passed;
    if (m_silent < m_limit)
        return;
    stop();
    Q_EMIT reached();
}

} // namespace rankdeck
