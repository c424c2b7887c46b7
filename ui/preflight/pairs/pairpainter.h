#pragma once

#include "preflight/pairs/pairtable.h"

#include <QColor>
#include <QPalette>
#include <QPoint>
#include <QRect>
#include <QSize>

namespace rankdeck
{

class Canvas;

/// Colours for values of one kind: shades of one hue, from faint for quick to strong for slow, on a
/// logarithmic scale. Values that differ little are all faint, so that noise does not attract attention.
class HeatScale
{
public:
    /// The end of the range that is slow.
    enum class Slow { High, Low };
    static constexpr int markCount = 5;

    HeatScale() = default;
    /// @param least, most the range of the values, both above 0.
    HeatScale(const QPalette &palette, Slow slow, double least, double most);

    /// Returns the background of a value; values beyond the scale get its end.
    QColor color(double value) const;
    /// Returns black or white, whichever reads better: the contrast is at least 4.5:1 on every colour.
    static QColor textOn(const QColor &behind);
    /// Returns values for a legend, from quick to slow, with equal ratios.
    QList<double> marks() const;

    bool operator==(const HeatScale &) const = default;

private:
    QColor m_faint = Qt::white;
    QColor m_strong = Qt::blue;
    double m_quick = 1;
    double m_slow = 10;
};

/// The places of the parts of a matrix of ranks: a legend of two rows, a row and a column of headings, and
/// the cells. Cells shrink until all fit, but not below a size that can be pointed at; then those from
/// `origin` on are visible.
class PairGeometry
{
public:
    /// Characters of a cell: a sign, a space, 4 digits. The space is left out where there is no room.
    static constexpr int cellCharacters = 6;
    static constexpr int leastCell = 7; ///< Pixels.

    PairGeometry() = default;
    /// @param character size of a character.
    /// @param count of rows, and of columns.
    /// @param heading characters of a row's heading.
    /// @param origin first visible column and row; smaller if there is room for more.
    PairGeometry(const QSize &size, const QSize &character, int count, int heading, const QPoint &origin);

    QRect legend() const;
    /// The place that names rows and columns.
    QRect corner() const;
    QRect rowHeading(int row) const;
    QRect columnHeading(int column) const;
    /// Empty if the cell is not visible.
    QRect cell(int row, int column) const;
    /// Returns (column, row); (-1, -1) outside the cells.
    QPoint cellAt(const QPoint &place) const;

    QSize cellSize() const { return m_cell; }
    // Whether a cell has room for its number, or at least for its sign.
    bool hasNumbers() const;
    bool hasSigns() const
    {
        return m_cell.width() >= m_character.width() + 2 && m_cell.height() >= m_character.height();
    }
    // Distance of the headings that have room, in columns or rows.
    int columnStep() const;
    int rowStep() const;
    // The first visible cell, and the number of visible ones, as (column, row).
    QPoint origin() const { return m_origin; }
    QSize seen() const { return m_seen; }
    bool isScrolled() const { return m_seen.width() < m_count || m_seen.height() < m_count; }
    /// Returns the nearest origin that makes a cell visible.
    QPoint originFor(int row, int column) const;
    /// The place of all visible cells.
    QRect cells() const
    {
        return {m_corner, QSize(m_seen.width() * m_cell.width(), m_seen.height() * m_cell.height())};
    }

private:
    QSize m_character = {8, 16};
    int m_count = 0;
    QPoint m_corner; ///< Top left of the first cell.
    QSize m_cell;
    QSize m_seen;
    QPoint m_origin;
    int m_width = 0;
};

/// A cell as it was last drawn.
struct ShownPairCell {
    PairCell cell;
    bool isCurrent = false; ///< Has the cursor.
    bool operator==(const ShownPairCell &) const = default;
};

/// Returns the text of a cell with room for a number: "21", "! 250", "× fail", "·".
QString pairCellText(const PairCell &cell);

/// Draws the parts of a matrix of ranks through a canvas.
class PairPainter
{
public:
    static constexpr int mostNodeCharacters = 14;

    /// The arguments must outlive it.
    PairPainter(Canvas &canvas, const QPalette &palette, const PairGeometry &parts, const PairTable &table,
                PairMeasure measure)
        : m_canvas(canvas)
        , m_palette(palette)
        , m_parts(parts)
        , m_table(table)
        , m_measure(measure)
        , m_scale(scaleOf(palette, table, measure))
    {
    }

    void drawHeadings();
    void drawLegend();
    void drawCell(const QRect &area, const ShownPairCell &shown);

    static HeatScale scaleOf(const QPalette &palette, const PairTable &table, PairMeasure measure);
    /// Returns the text in place of measurements.
    static QString nothingText() { return tr("No pair of ranks has been measured yet."); }

private:
    Canvas &m_canvas;
    const QPalette &m_palette;
    const PairGeometry &m_parts;
    const PairTable &m_table;
    PairMeasure m_measure;
    HeatScale m_scale;
};

} // namespace rankdeck
