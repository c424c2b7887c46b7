#include "log/merge/logactivity.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qint64 shortestSlot = 100 * 1000; ///< Microseconds.

/// Rounds down, also before 1970.
qint64 floored(qint64 time, qint64 width)
{
    const qint64 rest = time % width;
    return time - (rest < 0 ? rest + width : rest);
}

} // namespace

LogActivity::LogActivity(int logs)
    : m_rows(std::size_t(logs))
    , m_width(shortestSlot)
{
}

void LogActivity::add(int log, LogTime time, LogSeverity severity)
{
    reach(time.value);
    std::vector<Slot> &row = m_rows[std::size_t(log)];
    const auto slot = std::size_t((time.value - m_begin) / m_width);
    if (row.size() <= slot)
        row.resize(slot + 1);
    ++row[slot].lines;
    row[slot].worst = std::max(row[slot].worst, severity);
}

LogActivity::Slot LogActivity::at(int log, int slot) const
{
    const std::vector<Slot> &row = m_rows[std::size_t(log)];
    return slot < int(row.size()) ? row[std::size_t(slot)] : Slot();
}

/// Extends the rows to this time.
void LogActivity::reach(qint64 time)
{
    if (m_slots == 0) {
        m_begin = floored(time, m_width);
        m_slots = 1;
        return;
    }
    while (time - m_begin >= m_width * mostSlots || m_begin + m_slots * m_width - time > m_width * mostSlots)
        coarsen();
    if (time < m_begin) {
        const auto before = int((m_begin - floored(time, m_width)) / m_width);
        for (std::vector<Slot> &row : m_rows) {
            if (!row.empty())
                row.insert(row.begin(), std::size_t(before), Slot());
        }
        m_begin -= before * m_width;
        m_slots += before;
    }
    m_slots = std::max(m_slots, int((time - m_begin) / m_width) + 1);
}

/// Joins slots in pairs.
void LogActivity::coarsen()
{
    const qint64 begin = floored(m_begin, 2 * m_width);
    const bool isOdd = begin != m_begin;
    for (std::vector<Slot> &row : m_rows) {
        std::vector<Slot> coarse((row.size() + (isOdd ? 1 : 0) + 1) / 2);
        for (std::size_t slot = 0; slot < row.size(); ++slot) {
            Slot &into = coarse[(slot + (isOdd ? 1 : 0)) / 2];
            into.lines += row[slot].lines;
            into.worst = std::max(into.worst, row[slot].worst);
        }
        row = std::move(coarse);
    }
    m_slots = (m_slots + (isOdd ? 1 : 0) + 1) / 2;
    m_begin = begin;
    m_width *= 2;
}

} // namespace rankdeck
