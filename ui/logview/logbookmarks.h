#pragma once

#include <QtGlobal>

#include <optional>
#include <set>

namespace rankdeck
{

/// Lines that the user marked in a log, by their numbers (0-based) in the file.
class LogBookmarks
{
public:
    /// Set the mark of a line, or take it away.
    void toggle(qint64 line)
    {
        if (m_lines.erase(line) == 0)
            m_lines.insert(line);
    }
    void clear() { m_lines.clear(); }
    bool contains(qint64 line) const { return m_lines.contains(line); }
    bool isEmpty() const { return m_lines.empty(); }

    /// The nearest marked line behind `line`, or before it; beyond the last the first, and the other way
    /// round.
    std::optional<qint64> next(qint64 line, bool backward) const
    {
        if (m_lines.empty())
            return {};
        if (backward) {
            const auto behind = m_lines.lower_bound(line);
            return behind == m_lines.begin() ? *m_lines.rbegin() : *std::prev(behind);
        }
        const auto behind = m_lines.upper_bound(line);
        return behind == m_lines.end() ? *m_lines.begin() : *behind;
    }

private:
    std::set<qint64> m_lines;
};

} // namespace rankdeck
