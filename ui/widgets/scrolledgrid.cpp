#include "devicegrid/devicegridgeometry.h"

#include <algorithm>
#include <numeric>

namespace rankdeck
{

namespace
{

int rowsFor(int cells, int columns)
{
    return (cells + columns - 1) / columns;
}

int columnsThatFit(int inner, int width, int gap)
{
    return std::max((inner + gap) / (width + gap), 1);
}

} // namespace

QList<int> DeviceGridGeometry::allCells(int count)
{
    QList<int> cells(count);
    std::iota(cells.begin(), cells.end(), 0);
    return cells;
}

DeviceGridGeometry::DeviceGridGeometry(const QList<Block> &blocks, const Metrics &metrics, int width)
{
    const int inner = std::max(width - 2 * metrics.margin, 1);
    int most = 0;
    for (const Block &block : blocks)
        most = std::max(most, int(block.cells.size()));
    // As many columns as fit, but no more than fill the rows evenly: eight devices stand 4 + 4, not 7 + 1.
    if (most > 0) {
        const int fitting = columnsThatFit(inner, metrics.minimumCell.width(), metrics.gap);
        m_columns = rowsFor(most, rowsFor(most, std::min(fitting, most)));
    }
    const int share = (inner + metrics.gap) / m_columns - metrics.gap;
    m_cell = {std::clamp(share, 1, std::max(metrics.maximumCellWidth, metrics.minimumCell.width())),
              metrics.minimumCell.height()};

    m_height = metrics.margin;
    QList<Block> folded;
    for (const Block &block : blocks) {
        if (block.folded) {
            folded.append(block);
            continue;
        }
        placeFolded(folded, metrics, inner);
        folded.clear();
        placeOpen(block, metrics, inner, blocks.size() > 1);
    }
    placeFolded(folded, metrics, inner);
    m_height += metrics.margin - (m_items.isEmpty() ? 0 : metrics.gap);
}

void DeviceGridGeometry::placeFolded(const QList<Block> &run, const Metrics &metrics, int inner)
{
    const int columns = columnsThatFit(inner, metrics.minimumHeading.width(), metrics.gap);
    const int width = (inner + metrics.gap) / columns - metrics.gap;
    for (int done = 0; done < run.size(); done += columns) {
        const int count = std::min(columns, int(run.size()) - done);
        m_rows.append({itemCount(), count, m_height});
        for (int column = 0; column < count; ++column) {
            const int server = run.at(done + column).server;
            place({server, -1}, {metrics.margin + column * (width + metrics.gap), m_height, width,
                                 metrics.minimumHeading.height()});
        }
        m_height += metrics.minimumHeading.height() + metrics.gap;
    }
}

void DeviceGridGeometry::placeOpen(const Block &block, const Metrics &metrics, int inner, bool headingIsItem)
{
    if (headingIsItem)
        m_rows.append({itemCount(), 1, m_height});
    place({block.server, -1}, {metrics.margin, m_height, inner, metrics.minimumHeading.height()});
    m_height += metrics.minimumHeading.height();
    const int cells = int(block.cells.size());
    for (int done = 0; done < cells; done += m_columns) {
        const int count = std::min(m_columns, cells - done);
        m_rows.append({itemCount(), count, m_height});
        for (int column = 0; column < count; ++column)
            place({block.server, block.cells.at(done + column)},
                  {QPoint(metrics.margin + column * (m_cell.width() + metrics.gap), m_height), m_cell});
        m_height += m_cell.height() + metrics.gap;
    }
}

void DeviceGridGeometry::place(const GridItem &item, const QRect &where)
{
    m_indexes.insert(item, itemCount());
    m_items.append({item, where});
}

int DeviceGridGeometry::indexOf(const GridItem &item) const
{
    return m_indexes.value(item, -1);
}

int DeviceGridGeometry::rowOf(int index) const
{
    const auto after = std::upper_bound(m_rows.cbegin(), m_rows.cend(), index,
                                        [](int item, const Row &row) { return item < row.first; });
    return int(after - m_rows.cbegin()) - 1;
}

/// The last one that begins at `y` or above; the first one for what is above all.
int DeviceGridGeometry::rowAt(int y) const
{
    const auto after = std::upper_bound(m_rows.cbegin(), m_rows.cend(), y,
                                        [](int wanted, const Row &row) { return wanted < row.top; });
    return std::max(int(after - m_rows.cbegin()) - 1, 0);
}

int DeviceGridGeometry::itemAt(const QPoint &point) const
{
    if (m_rows.isEmpty())
        return -1;
    const Row &row = m_rows.at(rowAt(point.y()));
    for (int index = row.first; index < row.first + row.count; ++index) {
        if (place(index).contains(point))
            return index;
    }
    return -1;
}

int DeviceGridGeometry::neighbour(int index, Qt::Key key, int pageHeight) const
{
    if (m_rows.isEmpty())
        return -1;
    const int first = m_rows.constFirst().first;
    const int last = itemCount() - 1;
    if (index < first || index > last)
        return first;
    const int row = rowOf(index);
    const int lastRow = int(m_rows.size()) - 1;
    // An open server's heading is as wide as the grid: its cells begin at the left.
    const int from = isAloneInRow(index) ? place(index).left() : place(index).center().x();
    const auto inRow = [this, from](int other) {
        const Row &target = m_rows.at(other);
        int nearest = target.first;
        while (nearest + 1 < target.first + target.count && place(nearest).right() < from)
            ++nearest;
        return nearest;
    };
    switch (key) {
    case Qt::Key_Left:
        return std::max(index - 1, first);
    case Qt::Key_Right:
        return std::min(index + 1, last);
    case Qt::Key_Up:
        return row == 0 ? index : inRow(row - 1);
    case Qt::Key_Down:
        return row == lastRow ? index : inRow(row + 1);
    case Qt::Key_PageUp:
        return row == 0 ? index : inRow(std::min(rowAt(place(index).top() - pageHeight), row - 1));
    case Qt::Key_PageDown:
        return row == lastRow ? index : inRow(std::max(rowAt(place(index).top() + pageHeight), row + 1));
    case Qt::Key_Home:
        return first;
    case Qt::Key_End:
        return last;
    default:
        return index;
    }
}

bool DeviceGridGeometry::isAloneInRow(int index) const
{
    const int row = rowOf(index);
    return row >= 0 && m_rows.at(row).count == 1;
}

} // namespace rankdeck
