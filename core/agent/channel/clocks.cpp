#include "agent/channel/clocks.h"

#include "base/fields.h"

namespace rankdeck
{

constexpr char keyOfLine[] = "clock_ns";

static qint64 nowNs()
{
    return RunEvent::now(events::Note()).monotonicNs;
}

QByteArray ClockOffset::lineOfThisNode()
{
    return keyedLine(keyOfLine, nowNs());
}

bool ClockOffset::note(const QByteArray &line)
{
    const auto sent = fromKeyedLine<qint64>(keyOfLine, line);
    if (!sent)
        return false;
    const auto difference = static_cast<qint64>(static_cast<quint64>(nowNs()) - static_cast<quint64>(*sent));
    m_offsetNs = m_offsetNs ? std::min(*m_offsetNs, difference) : difference;
    return true;
}

RunEvent ClockOffset::mapped(RunEvent event) const
{
    if (!m_offsetNs)
        return event;
    const RunEvent now = RunEvent::now(events::Note());
    // A node may tell any number; what has happened is not later than now.
    const auto there = static_cast<quint64>(event.monotonicNs) + static_cast<quint64>(*m_offsetNs);
    event.monotonicNs = std::clamp(static_cast<qint64>(there), qint64(0), now.monotonicNs);
    event.wall = now.wall.addMSecs((event.monotonicNs - now.monotonicNs) / 1'000'000);
    return event;
}

} // namespace rankdeck
