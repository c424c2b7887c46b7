#include "diagnosis/selftest/selftestfollower.h"

namespace rankdeck
{

SelfTestFollower::SelfTestFollower(const LaunchPlan &plan, QObject *parent)
    : QObject(parent)
    , m_logs(plan)
    , m_timer(this)
{
    m_timer.setInterval(lookMs);
    connect(&m_timer, &QTimer::timeout, this, &SelfTestFollower::look);
}

void SelfTestFollower::start()
{
    m_isFinishing = false;
    m_timer.start();
    look();
}

void SelfTestFollower::finish()
{
    m_isFinishing = true;
    m_timer.start();
    look();
}

/// A backlog takes several looks, others in the thread being served in between.
void SelfTestFollower::look()
{
    const bool isMore = m_logs.readOn();
    if (m_isFinishing && !isMore)
        m_logs.readRest();
    if (m_logs.takeChanged())
        Q_EMIT told(m_logs.results());
    if (m_logs.isOver() || (m_isFinishing && !isMore))
        m_timer.stop();
}

} // namespace rankdeck
