#pragma once

#include "log/file/loglines.h"

#include <QByteArray>
#include <QList>
#include <QtGlobal>

#include <optional>
#include <set>

namespace rankdeck
{

/// Lines that the user marked in a log, by their numbers (0-based) in the file.
class LogBookmarks
{
public:
    /// Adds or removes the bookmark of a line.
    void toggle(qint64 line)
    {
        if (m_lines.erase(line) == 0)
            m_lines.insert(line);
    }
    void clear() { m_lines.clear(); }
    bool contains(qint64 line) const { return m_lines.contains(line); }
    bool isEmpty() const { return m_lines.empty(); }

    /// Returns the nearest marked line after `line`, or before it if `backward`; wraps around at the ends.
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

/// Counts the lines of a log with our marks among them as lines of their own. A "shown" line is 0-based and
/// may be a mark; a line of the file is 0-based and counts no marks.
class LogMarks
{
public:
    /// @param marks sorted by line.
    void set(const QList<LogMark> &marks) { m_marks = marks; }
    qint64 count() const { return m_marks.size(); }

    qint64 shownLine(qint64 fileLine) const;
    /// Returns how many lines of the file precede a shown line: its own number unless it is a mark.
    qint64 fileLine(qint64 shownLine) const;
    bool isMark(qint64 shownLine) const;
    /// Returns a mark as a line of a log: its text with escapes for its style. Null for other lines.
    QByteArray line(qint64 shownLine) const;

private:
    qsizetype marksBefore(qint64 shownLine) const;

    QList<LogMark> m_marks;
};

} // namespace rankdeck
