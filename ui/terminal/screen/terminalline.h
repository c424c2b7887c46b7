#pragma once

#include "log/line/ansidecoder.h"

#include <array>
#include <deque>
#include <vector>

namespace rankdeck
{

struct TerminalCell {
    /// A character and its marks, filled up with zeroes. All zero: blank, or the right half of a wide one.
    std::array<char32_t, 3> characters{};
    LogStyle style;
    bool isInverse = false;
    quint8 width = 1; ///< Cells from here on: 1 or 2; 0 in the right half of a wide character.

    bool isBlank() const { return characters[0] == 0 || characters[0] == U' '; }
    /// Whether nothing is visible: a blank without colours.
    bool isEmpty() const { return isBlank() && width != 0 && style == LogStyle() && !isInverse; }
    /// Returns a space for a blank, nothing for the right half of a wide character.
    QString text() const;

    bool operator==(const TerminalCell &) const = default;
};

/// One row of a terminal, without empty cells at its end.
struct TerminalLine {
    QList<TerminalCell> cells;
    bool isFull = false; ///< The row reaches the right edge: its line may continue in the next.

    /// Returns the text of these cells, without blanks at the end of the line; `end` may be beyond it.
    QString text(int begin, int end) const;
    QString text() const { return text(0, int(cells.size())); }

    bool operator==(const TerminalLine &) const = default;
};

/// The lines that have scrolled off the top of a terminal, packed: 80 characters take less than 500 bytes.
class TerminalHistory
{
public:
    /// Lines that are kept; the oldest are dropped first.
    static constexpr qint64 mostLines = 10'000;

    qint64 size() const { return qint64(m_lines.size()); }
    /// Number of dropped lines.
    qint64 dropped() const { return m_dropped; }
    void push(const TerminalLine &line);
    /// Removes and returns the newest line; there must be one.
    TerminalLine pop();
    /// Returns a line; index 0 is the oldest kept.
    TerminalLine line(qint64 index) const { return unpacked(m_lines[std::size_t(index)]); }

private:
    /// The look that several cells share.
    struct Look {
        LogStyle style;
        bool isInverse = false;
        bool operator==(const Look &) const = default;
    };
    struct Packed {
        std::vector<char32_t> characters; ///< First character of each cell with its width, then its marks.
        std::vector<std::pair<int, Look>> looks; ///< Looks and how many cells have each.
        bool isFull = false;
    };
    static TerminalLine unpacked(const Packed &packed);

    std::deque<Packed> m_lines;
    qint64 m_dropped = 0;
};

} // namespace rankdeck
