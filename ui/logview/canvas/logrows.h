#pragma once

#include "canvas/cells/canvas.h"
#include "logview/source/shownline.h"
#include "widgets/logpalette.h"

namespace rankdeck
{

class LogSource;

/// Assigns lines to the rows of a pane: a row shows a whole line or, if lines are wrapped, what fits.
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
        CellRange cells{0, LogSelection::endOfLine}; ///< The row's part of the line.

        bool operator==(const Row &) const = default;
        bool isFirst() const { return cells.begin == 0; }
        bool isLast() const { return cells.end == LogSelection::endOfLine; }
    };

    /// `source` must outlive it. Lines that are not in its page count as one row.
    explicit LogRows(const LogSource *source)
        : m_source(source)
    {
    }

    void setWrapped(bool wrapped) { m_wrapped = wrapped; }
    bool isWrapped() const { return m_wrapped; }
    /// Sets the size of the pane: whole rows and whole cells that fit.
    void setSize(int rows, int columns)
    {
        m_rows = rows;
        m_columns = columns;
    }

    /// Returns the rows from `top` on, `count` of them or up to the end of the log.
    QList<Row> from(const Place &top, int count) const;
    /// Returns the place `rows` further, or back if negative, within the log.
    Place moved(Place place, qint64 rows) const;
    /// Returns the top for which the last row is at the bottom. If the last lines are not loaded, so that
    /// their rows are unknown: the last line.
    Place lastTop() const;
    /// Returns the row that contains a cell.
    Place placeOf(const CellPosition &position) const;

private:
    /// Returns the first cells of a line's rows.
    QList<int> beginsOf(qint64 line) const;
    int rowsOf(qint64 line) const { return static_cast<int>(beginsOf(line).size()); }

    const LogSource *m_source;
    bool m_wrapped = false;
    int m_rows = 1;
    int m_columns = 1;
};

/// Everything that decides how a row of a log pane looks; a row is drawn when it changes.
struct LogRow {
    /// Cells with a background of their own, underlined.
    struct Patch {
        CellRange cells;
        QColor background;

        bool operator==(const Patch &) const = default;
    };

    QByteArray bytes;                            ///< The whole line.
    CellRange shown{0, LogSelection::endOfLine}; ///< The cells of the line in this row.
    qint64 number = -1;                          ///< Line number; -1: not shown.
    LogSeverity severity = LogSeverity::None;
    int labelCells = 0; ///< Label before the line; the view gives it its colour.
    CellRange selected;
    QList<Patch> highlights;
    QList<CellRange> matches; ///< Matches of the text that is searched for.
    bool isLine = false;
    bool isCurrent = false;    ///< A search or jump led to its line.
    bool isPointedOut = false; ///< Has a sign in the gutter and a tint.
    bool isBookmarked = false;
    bool isError = false; ///< From a standard error: has a tint, and a bar before the text.
    int cells = 0;        ///< Drawn width.

    LogRow() = default;
    /// A row of a line, without matches, selection or marks.
    LogRow(const LogSource &source, const LogRows::Row &place);
    bool operator==(const LogRow &) const = default;
};

/// Draws rows of a log pane.
class LogRowPainter
{
public:
    static constexpr int margin = 6;    ///< pixels
    static constexpr int gutterGap = 2; ///< cells

    struct Layout {
        int width = 0;   ///< Width of the pane, pixels.
        int left = 0;    ///< Cells hidden at the left of each row.
        int columns = 0; ///< Cells that fit.
        int gutter = 0;  ///< Cells.
    };

    LogRowPainter(Canvas &canvas, const LogPalette &palette, const Layout &layout)
        : m_canvas(canvas)
        , m_palette(palette)
        , m_layout(layout)
        , m_cellWidth(canvas.cellSize().width())
    {
    }

    /// Draws `row` over one that took `cellsBefore` cells; `area` is as wide as the pane. Returns the width
    /// of its line in cells and sets row.cells.
    int draw(LogRow &row, const QRect &area, int cellsBefore);

private:
    int textLeft() const { return margin + m_layout.gutter * m_cellWidth; }
    QColor behind(const LogRow &row) const;
    int leftOf(const LogRow &row) const { return m_layout.left + row.shown.begin; }
    /// Returns the cell after the last one that is drawn.
    int endOf(const LogRow &row) const { return std::min(leftOf(row) + m_layout.columns + 1, row.shown.end); }
    void drawGutter(const QRect &area, const LogRow &row);
    void drawRun(const QRect &area, const LogRun &run, int cell, const LogRow &row, LogSeverity severity);
    /// Draws text; the blocks of a progress bar become a bar that is less high.
    void drawText(const QPoint &at, QStringView text, const TextStyle &style, const QRect &area);
    void drawPatch(const QRect &area, const LogRow &row, const ShownLine &line, CellRange cells,
                   const QColor &foreground, const QColor &background, bool isBold);

    Canvas &m_canvas;
    const LogPalette &m_palette;
    Layout m_layout;
    int m_cellWidth;
};

} // namespace rankdeck
