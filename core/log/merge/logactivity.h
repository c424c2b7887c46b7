#pragma once

#include "log/line/loglinereader.h"

#include <vector>

namespace rankdeck
{

/// When each of several logs printed, and the worst severity: one row of time slots for each log, all over
/// the same time. Slots become longer as the time grows.
class LogActivity
{
public:
    static constexpr int mostSlots = 512;

    struct Slot {
        quint32 lines = 0;
        LogSeverity worst = LogSeverity::None;

        bool operator==(const Slot &) const = default;
    };

    explicit LogActivity(int logs = 0);

    int logs() const { return int(m_rows.size()); }
    /// Adds a line of a log; times may come in any order.
    void add(int log, LogTime time, LogSeverity severity);

    /// Returns the slots of each row; 0 before the first line.
    int slotCount() const { return m_slots; }
    /// Returns the time of the first slot.
    LogTime begin() const { return LogTime(m_begin); }
    qint64 slotMicroseconds() const { return m_width; }
    Slot at(int log, int slot) const;

    bool operator==(const LogActivity &) const = default;

private:
    void reach(qint64 time);
    void coarsen();

    std::vector<std::vector<Slot>> m_rows;
    qint64 m_begin = 0; ///< A multiple of m_width.
    qint64 m_width;     ///< Microseconds.
    int m_slots = 0;
};

} // namespace rankdeck
