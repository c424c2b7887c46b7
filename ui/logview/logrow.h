#pragma once

#include "log/loglinehead.h"
#include "logview/logpalette.h"
#include "logview/logselection.h"
#include "logview/shownline.h"

#include <QByteArray>
#include <QList>
#include <QRect>

namespace rankdeck
{

class Canvas;

/// What a row of a log pane shows; a row is drawn again when it would look different.
struct LogRow {
    /// Cells with a background of their own, underlined.
    struct Patch {
        CellRange cells;
        QColor background;

        bool operator==(const Patch &) const = default;
    };

    QByteArray bytes;                            ///< Of the whole line.
    CellRange shown{0, LogSelection::endOfLine}; ///< Of the line's cells, by this row.
    qint64 number = -1;                          ///< Of its line, where that is shown.
    LogSeverity severity = LogSeverity::None;
    int labelCells = 0; ///< Before the line itself; its colours are the view's.
    CellRange selected;
    QList<Patch> highlights;
    QList<CellRange> matches; ///< Of what is looked for.
    bool isLine = false;
    bool isCurrent = false;    ///< Its line was gone to last.
    bool isPointedOut = false; ///< With a sign in the gutter and a tint.
    bool isBookmarked = false;
    int cells = 0; ///< As drawn; not compared.

    bool looksLike(const LogRow &other) const;
};

/// Draws rows of a log pane.
class LogRowPainter
{
public:
    static constexpr int margin = 6;    ///< pixels
    static constexpr int gutterGap = 2; ///< cells

    struct Layout {
        int width = 0;   ///< Of the pane, pixels.
        int left = 0;    ///< How many cells of each row are hidden at its left.
        int columns = 0; ///< That fit.
        int gutter = 0;  ///< Cells.
    };

    LogRowPainter(Canvas &canvas, const LogPalette &palette, const Layout &layout);

    /// Draw `row` over one that took `cellsBefore` cells; `area` is as wide as the pane. Returns how many
    /// cells its line takes and sets row.cells.
    int draw(LogRow &row, const QRect &area, int cellsBefore);

private:
    int textLeft() const;
    int leftOf(const LogRow &row) const { return m_layout.left + row.shown.begin; }
    int endOf(const LogRow &row) const;
    void drawGutter(const QRect &area, const LogRow &row);
    void drawRun(const QRect &area, const LogRun &run, int cell, const LogRow &row, LogSeverity severity);
    void drawPatch(const QRect &area, const LogRow &row, const ShownLine &line, CellRange cells,
                   const QColor &foreground, const QColor &background, bool isBold);

    Canvas &m_canvas;
    const LogPalette &m_palette;
    Layout m_layout;
    int m_cellWidth;
};

} // namespace rankdeck
