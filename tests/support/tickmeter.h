#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <ctime>
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
        m_busyMs.clear();
        m_busy = threadMs();
        m_clock.start();
        m_timer.start(intervalMs);
    }
    int ticks() const { return int(m_busyMs.size()); }
    /// Of `share` of all ticks, 0 < share <= 1, none was later; ms.
    double lateness(double share) const { return quantile(m_lateMs, share); }
    /// Share of the ticks that came within `ms` of when they were due.
    double shareWithin(double ms) const
    {
        const auto good =
            std::count_if(m_lateMs.begin(), m_lateMs.end(), [ms](double late) { return late <= ms; });
        return m_lateMs.empty() ? 1 : double(good) / double(m_lateMs.size());
    }
    /// Of `share` of all ticks, none found that the thread had worked for longer since the one before; ms.
    /// Unlike lateness() it does not depend on what else the machine does.
    double work(double share) const { return quantile(m_busyMs, share); }

private:
    /// Processor time that the thread has used so far.
    static double threadMs()
    {
        timespec used{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        return double(used.tv_sec) * 1e3 + double(used.tv_nsec) / 1e6;
    }
    static double quantile(std::vector<double> values, double share)
    {
        if (values.empty())
            return 0;
        std::sort(values.begin(), values.end());
        return values[std::min(values.size() - 1, size_t(share * double(values.size())))];
    }

    void tick()
    {
        const double busy = threadMs();
        m_busyMs.push_back(busy - m_busy);
        m_busy = busy;
        const double passed = double(m_clock.nsecsElapsed()) / 1e6;
        m_clock.start();
        m_lateMs.push_back(std::max(0.0, passed - intervalMs));
        for (double due = 2 * intervalMs; due <= passed; due += intervalMs)
            m_lateMs.push_back(passed - due);
    }

    QTimer m_timer;
    QElapsedTimer m_clock;
    std::vector<double> m_lateMs;
    std::vector<double> m_busyMs;
    double m_busy = 0;
};

} // namespace rankdeck
