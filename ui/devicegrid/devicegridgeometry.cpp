#include "devicegrid/devicegridgeometry.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

int rowsFor(int cells, int columns)
{
    return (cells + columns - 1) / columns;
}

} // namespace

DeviceGridGeometry::DeviceGridGeometry(const QList<int> &devicesPerServer, const Metrics &metrics, int width)
    : m_gap(metrics.gap)
    , m_margin(metrics.margin)
{
    const int inner = std::max(width - 2 * metrics.margin, 1);
    const int most = devicesPerServer.isEmpty()
                         ? 0
                         : *std::max_element(devicesPerServer.cbegin(), devicesPerServer.cend());
    const int fitting = std::max((inner + m_gap) / (metrics.minimumCell.width() + m_gap), 1);
    // As many columns as fit, but no more than fill the rows evenly: eight devices stand 4 + 4, not 7 + 1.
    if (most > 0)
        m_columns = rowsFor(most, rowsFor(most, std::min(fitting, most)));
    const int share = (inner + m_gap) / m_columns - m_gap;
    m_cell = {std::clamp(share, 1, std::max(metrics.maximumCellWidth, metrics.minimumCell.width())),
              metrics.minimumCell.height()};

    int y = metrics.margin;
    for (const int devices : devicesPerServer) {
        m_headings.append(QRect(metrics.margin, y, inner, metrics.headingHeight));
        y += metrics.headingHeight;
        for (int done = 0; done < devices; done += m_columns) {
            m_rows.append({m_cellCount, std::min(m_columns, devices - done), y});
            m_cellCount += m_rows.constLast().count;
            y += m_cell.height() + m_gap;
        }
    }
    m_height = y + metrics.margin - (m_rows.isEmpty() ? 0 : m_gap);
}

int DeviceGridGeometry::rowOf(int index) const
{
    const auto after = std::upper_bound(m_rows.cbegin(), m_rows.cend(), index,
                                        [](int cell, const Row &row) { return cell < row.first; });
    return int(after - m_rows.cbegin()) - 1;
}

QRect DeviceGridGeometry::cell(int index) const
{
    if (index < 0 || index >= m_cellCount)
        return {};
    const Row &row = m_rows.at(rowOf(index));
    return {QPoint(m_margin + (index - row.first) * (m_cell.width() + m_gap), row.top), m_cell};
}

int DeviceGridGeometry::cellAt(const QPoint &point) const
{
    const auto after = std::upper_bound(m_rows.cbegin(), m_rows.cend(), point.y(),
                                        [](int y, const Row &row) { return y < row.top; });
    if (after == m_rows.cbegin())
        return -1;
    const Row &row = *(after - 1);
    const int x = point.x() - m_margin;
    const int column = x / (m_cell.width() + m_gap);
    if (x < 0 || column >= row.count)
        return -1;
    const int index = row.first + column;
    return cell(index).contains(point) ? index : -1;
}

int DeviceGridGeometry::neighbour(int index, Qt::Key key, int pageHeight) const
{
    if (m_cellCount == 0)
        return -1;
    if (index < 0 || index >= m_cellCount)
        return 0;
    const int last = m_cellCount - 1;
    const int row = rowOf(index);
    const auto inRow = [this, column = index - m_rows.at(row).first](int other) {
        const Row &target = m_rows.at(std::clamp(other, 0, int(m_rows.size()) - 1));
        return target.first + std::min(column, target.count - 1);
    };
    const int page = std::max(pageHeight / (m_cell.height() + m_gap), 1);
    switch (key) {
    case Qt::Key_Left:
        return std::max(index - 1, 0);
    case Qt::Key_Right:
        return std::min(index + 1, last);
    case Qt::Key_Up:
        return row == 0 ? index : inRow(row - 1);
    case Qt::Key_Down:
        return row == m_rows.size() - 1 ? index : inRow(row + 1);
    case Qt::Key_PageUp:
        return inRow(row - page);
    case Qt::Key_PageDown:
        return inRow(row + page);
    case Qt::Key_Home:
        return 0;
    case Qt::Key_End:
        return last;
    default:
        return index;
    }
}

} // namespace rankdeck
