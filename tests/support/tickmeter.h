#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <vector>

namespace rankdeck
{

/// How late a timer of this thread is that is due every 20 ms: how responsive a window is. A tick that never
/// came because the thread was busy counts as late as the one that came in its place.
class TickMeter
{
public:
    static constexpr int intervalMs = 20;

    TickMeter()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { tick(); });
    }

    void start()
    {
        m_lateMs.clear();
        m_clock.start();
        m_timer.start(intervalMs);
    }
    int ticks() const { return int(m_lateMs.size()); }
    /// Of `share` of all ticks, 0 < share <= 1, none was later; ms.
    double lateness(double share) const
    {
        if (m_lateMs.empty())
            return 0;
        std::vector<double> sorted = m_lateMs;
        std::sort(sorted.begin(), sorted.end());
        return sorted[std::min(sorted.size() - 1, size_t(share * double(sorted.size())))];
    }
    /// Share of the ticks that came within `ms` of when they were due.
    double shareWithin(double ms) const
    {
        const auto good =
            std::count_if(m_lateMs.begin(), m_lateMs.end(), [ms](double late) { return late <= ms; });
        return m_lateMs.empty() ? 1 : double(good) / double(m_lateMs.size());
    }

private:
    void tick()
    {
        const double passed = double(m_clock.nsecsElapsed()) / 1e6;
        m_clock.start();
        m_lateMs.push_back(std::max(0.0, passed - intervalMs));
        for (double due = 2 * intervalMs; due <= passed; due += intervalMs)
            m_lateMs.push_back(passed - due);
    }

    QTimer m_timer;
    QElapsedTimer m_clock;
    std::vector<double> m_lateMs;
};

} // namespace rankdeck
