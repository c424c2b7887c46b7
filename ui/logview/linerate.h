#pragma once

#include <QtGlobal>

namespace rankdeck
{

/// Whether lines come faster than anyone can read, told from how many there are now and then.
class LineRate
{
public:
    /// More lines a second than this are one: 1,000, and what batches of them make it look like.
    static constexpr qint64 flood = 1100;

    /// `lines` there are at `ms` of a clock. Looks back over half a second and more.
    bool isFlood(qint64 lines, qint64 ms)
    {
        constexpr qint64 period = 500;
        if (m_ms >= 0 && ms - m_ms < period)
            return m_isFlood;
        // What is there at first did not come just now.
        m_isFlood = m_ms >= 0 && (lines - m_lines) * 1000 > flood * (ms - m_ms);
        m_lines = lines;
        m_ms = ms;
        return m_isFlood;
    }

private:
    qint64 m_lines = 0;
    qint64 m_ms = -1;
    bool m_isFlood = false;
};

} // namespace rankdeck
