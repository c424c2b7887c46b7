#pragma once

#include "log/line/ansidecoder.h"
#include "log/line/logmatcher.h"

#include <QByteArrayView>
#include <QString>
#include <QtGlobal>

#include <compare>

namespace rankdeck
{

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
    /// Returns the word at `cell`: letters, digits and the other characters of paths and numbers; else the
    /// one character there.
    CellRange wordAt(int cell) const;
    /// Returns the first cells of the rows of the line if `columns` cells (at least 2) fit into a row. No
    /// character is split.
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
