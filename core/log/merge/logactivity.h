#pragma once

#include "log/loglinehead.h"

#include <QMetaType>

#include <vector>

namespace rankdeck
{

/// When each of several logs printed, and how bad that was: a row of slots of equal length a log, all rows
/// over the same time. The slots grow longer as more time is to be shown.
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

    int logs() const { return static_cast<int>(m_rows.size()); }
    /// A line of a log, in any order of time.
    void add(int log, LogTime time, LogSeverity severity);

    /// Of all rows; 0 before the first line.
    int slotCount() const { return m_slots; }
    /// Of the first slot.
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

Q_DECLARE_METATYPE(rankdeck::LogActivity)
