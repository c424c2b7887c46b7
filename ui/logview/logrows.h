#pragma once

#include "logview/logselection.h"

#include <QList>

namespace rankdeck
{

class LogSource;

/// Which rows of a pane show what of which line: each a whole line, or, where long lines are wrapped, as much
/// of it as fits.
class LogRows
{
public:
    /// A row of a line, both 0-based.
    struct Place {
        qint64 line = 0;
        int row = 0;

        auto operator<=>(const Place &) const = default;
    };
    struct Row {
        qint64 line = 0;
        CellRange cells{0, LogSelection::endOfLine}; ///< Of the line.

        bool operator==(const Row &) const = default;
        bool isFirst() const { return cells.begin == 0; }
        bool isLast() const { return cells.end == LogSelection::endOfLine; }
    };

    /// `source` must outlive it. Lines that are not in its page are taken for one row.
    explicit LogRows(const LogSource *source)
        : m_source(source)
    {
    }

    void setWrapped(bool wrapped) { m_wrapped = wrapped; }
    bool isWrapped() const { return m_wrapped; }
    /// Of the pane: whole rows and whole cells that fit.
    void setSize(int rows, int columns);

    /// The rows from `top` on, `count` of them or up to the end of the log.
    QList<Row> from(const Place &top, int count) const;
    /// So many rows further, or back where negative, within the log.
    Place moved(Place place, qint64 rows) const;
    /// Where to begin for the last row to stand at the bottom. Where it is not known how many rows the last
    /// lines take, the last line.
    Place lastTop() const;
    /// The row that a cell stands in.
    Place placeOf(const CellPosition &position) const;

private:
    /// The first cells of a line's rows.
    QList<int> beginsOf(qint64 line) const;
    int rowsOf(qint64 line) const { return static_cast<int>(beginsOf(line).size()); }

    const LogSource *m_source;
    bool m_wrapped = false;
    int m_rows = 1;
    int m_columns = 1;
};

} // namespace rankdeck
