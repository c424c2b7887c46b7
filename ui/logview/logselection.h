#pragma once

#include "logview/shownline.h"

#include <QtGlobal>

#include <compare>

namespace rankdeck
{

/// A border between cells of a log.
struct CellPosition {
    qint64 line = 0;
    int cell = 0;

    auto operator<=>(const CellPosition &) const = default;
};

/// What is selected: from where the mouse went down to where it is.
struct LogSelection {
    CellPosition anchor;
    CellPosition cursor;

    bool isEmpty() const { return anchor == cursor; }
    CellPosition begin() const { return std::min(anchor, cursor); }
    CellPosition end() const { return std::max(anchor, cursor); }
    /// The selected cells of `line`; one that is selected beyond its end goes to endOfLine.
    CellRange cellsOf(qint64 line) const;

    static constexpr int endOfLine = 1 << 30;
};

} // namespace rankdeck
