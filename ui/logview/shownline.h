#pragma once

#include "log/ansidecoder.h"
#include "log/logmatcher.h"

#include <QByteArrayView>
#include <QString>

namespace rankdeck
{

/// A range of cells of one line, the last one excluded.
struct CellRange {
    int begin = 0;
    int end = 0;

    bool isEmpty() const { return end <= begin; }
    bool operator==(const CellRange &) const = default;
};

/// One line of a log as it is shown: decoded, and measured in cells.
class ShownLine
{
public:
    explicit ShownLine(QByteArrayView bytes);

    const QList<LogRun> &runs() const { return m_runs; }
    QString text() const { return m_text; }
    int cells() const { return m_cells; }

    /// The text whose cells begin in `range`.
    QString textIn(CellRange range) const;
    /// The border between two characters that is nearest to cell `cell`, both counted from the left in half
    /// cells: where a click falls decides between the two borders of the character under it.
    int borderNear(int halfCell) const;
    /// The word at `cell`: letters, digits and what paths and numbers are made of; else the one character
    /// there.
    CellRange wordAt(int cell) const;
    /// The first cells of the rows that the line takes where so many cells fit, at least 2; no character is
    /// torn.
    QList<int> breaks(int columns) const;
    /// Where a pattern is found.
    QList<CellRange> matches(const LogMatcher &matcher) const;

private:
    QList<LogRun> m_runs;
    QString m_text;
    int m_cells = 0;
};

} // namespace rankdeck
