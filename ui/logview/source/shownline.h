#pragma once

#include "log/file/loglines.h"
#include "log/line/ansidecoder.h"

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
    /// Ascending.
    QList<qint64> lines() const { return {m_lines.begin(), m_lines.end()}; }

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
    qint64 fileLine(qint64 shownLine) const { return shownLine - marksBefore(shownLine); }
    bool isMark(qint64 shownLine) const;
    /// Returns a mark as a line of a log: its text with escapes for its style. Null for other lines.
    QByteArray line(qint64 shownLine) const;

private:
    qsizetype marksBefore(qint64 shownLine) const;

    QList<LogMark> m_marks;
};

/// A range of cells of one line, the last one excluded.
struct CellRange {
    int begin = 0;
    int end = 0;

    bool isEmpty() const { return end <= begin; }
    bool operator==(const CellRange &) const = default;
};

/// One line of a log, decoded and measured in cells.
class ShownLine
{
public:
    explicit ShownLine(QByteArrayView bytes);

    const QList<LogRun> &runs() const { return m_runs; }
    QString text() const { return m_text; }
    int cells() const { return m_cells; }

    /// Returns the text whose cells begin in `range`.
    QString textIn(CellRange range) const;
    /// Returns the border between two characters that is nearest to a click `halfCell` half cells from the
    /// left. The border is counted in cells.
    int borderNear(int halfCell) const;
    /// Returns the word at `cell`, with the characters of paths and numbers; else the one character there.
    CellRange wordAt(int cell) const;
    /// Returns the first cells of the line's rows of `columns` cells (at least 2). No character is split.
    QList<int> breaks(int columns) const;
    /// Returns all matches of a pattern.
    QList<CellRange> matches(const LogMatcher &matcher) const;

private:
    QList<LogRun> m_runs;
    QString m_text;
    int m_cells = 0;
};

/// A border between cells of a log.
struct CellPosition {
    qint64 line = 0;
    int cell = 0;

    auto operator<=>(const CellPosition &) const = default;
};

/// The selected text of a log.
struct LogSelection {
    CellPosition anchor; ///< Where the mouse was pressed.
    CellPosition cursor; ///< Where it is.

    bool isEmpty() const { return anchor == cursor; }
    CellPosition begin() const { return std::min(anchor, cursor); }
    CellPosition end() const { return std::max(anchor, cursor); }
    /// Returns the selected cells of `line`; they end at endOfLine if the selection goes on in the next line.
    CellRange cellsOf(qint64 line) const;

    static constexpr int endOfLine = 1 << 30;
};

} // namespace rankdeck
