#pragma once

#include "log/ansidecoder.h"

#include <QList>
#include <QString>

#include <array>

namespace rankdeck
{

/// One cell of a terminal.
struct TerminalCell {
    /// A character and marks on it; zeroes behind them. All zero: blank, or the right half of a wide one.
    std::array<char32_t, 3> characters{};
    LogStyle style;
    bool isInverse = false;
    quint8 width = 1; ///< Cells from here on: 1 or 2; 0 in the right half of a wide character.

    bool isBlank() const { return characters[0] == 0 || characters[0] == U' '; }
    /// Nothing to be seen: a blank without a colour of its own.
    bool isEmpty() const { return isBlank() && width != 0 && style == LogStyle() && !isInverse; }
    /// A blank as a space, nothing for the right half of a wide character.
    QString text() const;

    bool operator==(const TerminalCell &) const = default;
};

/// One row of a terminal, without the empty cells at its end.
struct TerminalLine {
    QList<TerminalCell> cells;
    bool isFull = false; ///< The row reaches the right edge, so that its line may go on in the next.

    /// Of these cells, without blanks at the end of the line; `end` may lie behind it.
    QString text(int begin, int end) const;
    QString text() const { return text(0, int(cells.size())); }

    bool operator==(const TerminalLine &) const = default;
};

} // namespace rankdeck
