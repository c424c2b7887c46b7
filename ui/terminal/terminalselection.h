#pragma once

#include "terminal/terminalscreen.h"

#include <QString>

#include <utility>

namespace rankdeck
{

/// What the mouse selected of a terminal: from one border between cells to another.
struct TerminalSelection {
    using Place = TerminalScreen::Place;

    /// Behind every cell of a line, its end included.
    static constexpr int endOfLine = 1 << 20;

    Place anchor;
    Place caret;

    bool isEmpty() const { return anchor == caret; }
    Place begin() const { return isBefore(caret, anchor) ? caret : anchor; }
    Place end() const { return isBefore(caret, anchor) ? anchor : caret; }
    /// The cells of a line that are selected: first, and the one behind the last; the same where none are.
    std::pair<int, int> columnsOf(qint64 line) const;

    static bool isBefore(const Place &one, const Place &other)
    {
        return std::pair(one.line, one.column) < std::pair(other.line, other.column);
    }

    bool operator==(const TerminalSelection &) const = default;
};

/// Its text: lines that the terminal broke are whole, blanks at their ends are gone.
QString textOf(const TerminalScreen &screen, const TerminalSelection &selection);
/// The word at a place, whole lines that the terminal did not break, and all there is.
TerminalSelection wordAt(const TerminalScreen &screen, const TerminalScreen::Place &place);
TerminalSelection wholeLineAt(const TerminalScreen &screen, qint64 line);
TerminalSelection allOf(const TerminalScreen &screen);

} // namespace rankdeck
