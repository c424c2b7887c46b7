#include "progressplot/plotgeometry.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int margin = 6; // pixels
constexpr int scaleCells = 9;
constexpr int numberCells = 5;
constexpr int cellsBetweenMarks = 14;
constexpr int rowsBetweenMarks = 3;

} // namespace

PlotGeometry::PlotGeometry(const QSize &size, const QSize &cell)
    : m_size(size)
    , m_cell(cell)
    // Both charts have a title above, and a little room below for the lowest mark.
    , m_chartHeight(
          std::max(0, (stepScale().top() - margin - 2 * cell.height()) / 2 - cell.height() - margin))
{
}

QRect PlotGeometry::legend() const
{
    return {margin, margin, m_size.width() - 2 * margin, m_cell.height()};
}

QRect PlotGeometry::readout() const
{
    return legend().translated(0, m_cell.height());
}

QRect PlotGeometry::stepScale() const
{
    const int left = margin + scaleCells * m_cell.width();
    return {left, m_size.height() - margin - m_cell.height(),
            m_size.width() - left - margin - numberCells * m_cell.width(), m_cell.height()};
}

QRect PlotGeometry::title(int index) const
{
    const int top = readout().bottom() + 1 + index * (m_chartHeight + m_cell.height() + margin);
    return {stepScale().left(), top, stepScale().width(), m_cell.height()};
}

QRect PlotGeometry::chart(int index) const
{
    return {stepScale().left(), title(index).bottom() + 1, std::max(0, stepScale().width()), m_chartHeight};
}

QRect PlotGeometry::scale(int index) const
{
    const QRect area = chart(index);
    return {margin, area.top(), area.left() - margin - m_cell.width(), area.height()};
}

QRect PlotGeometry::numbers(int index) const
{
    const QRect area = chart(index);
    return {area.right() + 1 + margin, area.top(), m_size.width() - area.right() - 1 - 2 * margin,
            area.height()};
}

int PlotGeometry::valueMarks() const
{
    return std::max(2, m_chartHeight / (rowsBetweenMarks * m_cell.height()) + 1);
}

int PlotGeometry::stepMarks() const
{
    return std::max(2, stepScale().width() / (cellsBetweenMarks * m_cell.width()) + 1);
}

} // namespace rankdeck
