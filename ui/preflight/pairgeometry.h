#pragma once

#include <QPoint>
#include <QRect>
#include <QSize>

namespace rankdeck
{

/// Where the parts of a matrix of ranks are: a legend of two rows above, a row and a column of headings, and
/// the cells, which shrink until all of them fit, down to a size that can still be pointed at; of more
/// than fit then, those from `origin` on are seen.
class PairGeometry
{
public:
    /// Characters of a cell: a sign, a space, 4 digits; without the space it has room for them all the same.
    static constexpr int cellCharacters = 6;
    static constexpr int leastCell = 7; ///< Pixels.

    PairGeometry() = default;
    /// @param character of the font.
    /// @param count of rows, and of columns.
    /// @param heading characters of a row's heading.
    /// @param origin column and row that are seen first; taken back where there is room for more.
    PairGeometry(const QSize &size, const QSize &character, int count, int heading, const QPoint &origin);

    QRect legend() const;
    /// Names what the rows and columns are.
    QRect corner() const;
    QRect rowHeading(int row) const;
    QRect columnHeading(int column) const;
    /// Empty where it is not seen.
    QRect cell(int row, int column) const;
    /// (column, row); (-1, -1) beside the cells.
    QPoint cellAt(const QPoint &place) const;

    QSize cellSize() const { return m_cell; }
    /// Whether a cell has room for its number, and for its sign at least.
    bool hasNumbers() const;
    bool hasSigns() const;
    /// Every so many columns, and rows, have room for a heading.
    int columnStep() const;
    int rowStep() const;
    /// Of those that are seen (columns, rows).
    QPoint origin() const { return m_origin; }
    QSize seen() const { return m_seen; }
    bool isScrolled() const { return m_seen.width() < m_count || m_seen.height() < m_count; }
    /// The origin at which a cell is seen that is nearest to this one's.
    QPoint originFor(int row, int column) const;
    /// Room of the cells that are seen.
    QRect cells() const;

private:
    QSize m_character = {8, 16};
    int m_count = 0;
    QPoint m_corner; ///< Top left of the first cell.
    QSize m_cell;
    QSize m_seen;
    QPoint m_origin;
    int m_width = 0;
};

} // namespace rankdeck
