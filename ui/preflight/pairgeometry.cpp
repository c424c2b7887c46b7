#include "preflight/pairgeometry.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int margin = 6;       // pixels
constexpr int padding = 10;     ///< Around what stands in a cell, both sides together: its frame and a gap.
constexpr int leastPadding = 7; ///< A frame, and what is between two cells.
constexpr int headingCharacters = 4;

int stepFor(int needed, int cell)
{
    int step = 1;
    while (cell > 0 && step * cell < needed)
        step *= 2;
    return step;
}

} // namespace

PairGeometry::PairGeometry(const QSize &size, const QSize &character, int count, int heading,
                           const QPoint &origin)
    : m_character(character)
    , m_count(count)
    , m_corner(margin + heading * character.width() + margin, margin + 3 * character.height() + 2 * margin)
    , m_width(size.width())
{
    const QSize room(std::max(0, size.width() - m_corner.x() - margin),
                     std::max(0, size.height() - m_corner.y() - margin));
    const QSize largest(cellCharacters * character.width() + padding, character.height() + padding);
    const auto fitting = [count](int space, int most) {
        return std::clamp(count > 0 ? space / count : most, leastCell, most);
    };
    m_cell = {fitting(room.width(), largest.width()), fitting(room.height(), largest.height())};
    m_seen = {std::min(count, room.width() / m_cell.width()),
              std::min(count, room.height() / m_cell.height())};
    m_origin = {std::clamp(origin.x(), 0, count - m_seen.width()),
                std::clamp(origin.y(), 0, count - m_seen.height())};
}

QRect PairGeometry::legend() const
{
    return {margin, margin, m_width - 2 * margin, 2 * m_character.height()};
}

QRect PairGeometry::corner() const
{
    return {margin, m_corner.y() - m_character.height() - 2, m_corner.x() - 2 * margin, m_character.height()};
}

QRect PairGeometry::cells() const
{
    return {m_corner, QSize(m_seen.width() * m_cell.width(), m_seen.height() * m_cell.height())};
}

QRect PairGeometry::rowHeading(int row) const
{
    if (row < m_origin.y() || row >= m_origin.y() + m_seen.height())
        return {};
    const int top = m_corner.y() + (row - m_origin.y()) * m_cell.height();
    return {margin, top + (m_cell.height() - m_character.height()) / 2, m_corner.x() - 2 * margin,
            m_character.height()};
}

QRect PairGeometry::columnHeading(int column) const
{
    if (column < m_origin.x() || column >= m_origin.x() + m_seen.width())
        return {};
    const int left = m_corner.x() + (column - m_origin.x()) * m_cell.width();
    const int width = std::max(m_cell.width(), headingCharacters * m_character.width());
    return {left, m_corner.y() - m_character.height() - 2, width, m_character.height()};
}

QRect PairGeometry::cell(int row, int column) const
{
    const int x = column - m_origin.x();
    const int y = row - m_origin.y();
    if (x < 0 || y < 0 || x >= m_seen.width() || y >= m_seen.height())
        return {};
    // One pixel of what is behind stays between two cells.
    return {m_corner.x() + x * m_cell.width(), m_corner.y() + y * m_cell.height(), m_cell.width() - 1,
            m_cell.height() - 1};
}

QPoint PairGeometry::cellAt(const QPoint &place) const
{
    if (!cells().contains(place))
        return {-1, -1};
    const QPoint within = place - m_corner;
    return m_origin + QPoint(within.x() / m_cell.width(), within.y() / m_cell.height());
}

bool PairGeometry::hasNumbers() const
{
    return m_cell.width() >= (cellCharacters - 1) * m_character.width() + leastPadding &&
           m_cell.height() >= m_character.height() + 2;
}

bool PairGeometry::hasSigns() const
{
    return m_cell.width() >= m_character.width() + 2 && m_cell.height() >= m_character.height();
}

int PairGeometry::columnStep() const
{
    return stepFor(headingCharacters * m_character.width(), m_cell.width());
}

int PairGeometry::rowStep() const
{
    return stepFor(m_character.height(), m_cell.height());
}

QPoint PairGeometry::originFor(int row, int column) const
{
    const auto moved = [](int first, int seen, int wanted) {
        return wanted < first ? wanted : wanted >= first + seen ? wanted - seen + 1 : first;
    };
    return {moved(m_origin.x(), m_seen.width(), column), moved(m_origin.y(), m_seen.height(), row)};
}

} // namespace rankdeck
