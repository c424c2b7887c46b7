#include "widgets/scrolledgrid.h"

#include <QApplication>
#include <QToolTip>

#include <algorithm>
#include <numeric>

namespace rankdeck
{

static int rowsFor(int cells, int columns)
{
    return (cells + columns - 1) / columns;
}

static int columnsThatFit(int inner, int width, int gap)
{
    return std::max((inner + gap) / (width + gap), 1);
}

QList<int> DeviceGridGeometry::allCells(int count)
{
    QList<int> cells(count);
    std::iota(cells.begin(), cells.end(), 0);
    return cells;
}

DeviceGridGeometry::DeviceGridGeometry(const QList<Block> &blocks, const Metrics &metrics, int width)
{
    const int inner = std::max(width - 2 * metrics.margin, 1);
    m_height = metrics.margin;
    if (metrics.isFlat) {
        placeFlat(blocks, metrics, inner);
        return;
    }
    int most = 0;
    for (const Block &block : blocks)
        most = std::max(most, int(block.cells.size()));
    // As many columns as fit, but rows are filled evenly: eight devices stand 4 + 4, not 7 + 1.
    if (most > 0) {
        const int fitting = columnsThatFit(inner, metrics.minimumCell.width(), metrics.gap);
        m_columns = rowsFor(most, rowsFor(most, std::min(fitting, most)));
    }
    const int share = (inner + metrics.gap) / m_columns - metrics.gap;
    m_cell = {std::clamp(share, 1, std::max(metrics.maximumCellWidth, metrics.minimumCell.width())),
              metrics.minimumCell.height()};

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

/// A server that is narrower than the grid is not broken; half a cell is between servers.
void DeviceGridGeometry::placeFlat(const QList<Block> &blocks, const Metrics &metrics, int inner)
{
    m_cell = metrics.minimumCell;
    m_columns = columnsThatFit(inner, m_cell.width(), 0);
    int left = inner; // Nothing fits into the row before the first.
    const auto startRow = [&] {
        m_height += m_rows.isEmpty() ? 0 : m_cell.height();
        m_rows.append({itemCount(), 0, m_height});
        left = 0;
    };
    for (const Block &block : blocks) {
        left += m_cell.width() / 2;
        if (left + std::min(int(block.cells.size()), m_columns) * m_cell.width() > inner)
            startRow();
        for (const int cell : block.cells) {
            if (left + m_cell.width() > inner && m_rows.constLast().count > 0)
                startRow();
            place({block.server, cell}, {QPoint(metrics.margin + left, m_height), m_cell});
            ++m_rows.last().count;
            left += m_cell.width();
        }
    }
    m_rows.removeIf([](const Row &row) { return row.count == 0; });
    m_height += m_cell.height() + metrics.margin;
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

int DeviceGridGeometry::rowOf(int index) const
{
    const auto after = std::ranges::upper_bound(m_rows, index, {}, &Row::first);
    return int(after - m_rows.cbegin()) - 1;
}

/// Returns the last row that begins at `y` or above, else the first.
int DeviceGridGeometry::rowAt(int y) const
{
    const auto after = std::ranges::upper_bound(m_rows, y, {}, &Row::top);
    return std::max(int(after - m_rows.cbegin()) - 1, 0);
}

std::pair<int, int> DeviceGridGeometry::between(int top, int bottom) const
{
    if (m_rows.isEmpty())
        return {0, itemCount()};
    const int first = rowAt(top);
    const Row &last = m_rows.at(rowAt(bottom));
    // The heading of a single server is in no row.
    return {first == 0 ? 0 : m_rows.at(first).first, last.first + last.count};
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
    // An open server's heading is as wide as the grid, and its cells begin at the left.
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

ScrolledGrid::ScrolledGrid(QWidget *parent)
    : CanvasWidget(parent)
    , m_bar(new QScrollBar(Qt::Vertical, this))
{
    m_bar->setFocusPolicy(Qt::NoFocus);
    m_bar->setCursor(Qt::ArrowCursor);
    connect(m_bar, &QScrollBar::valueChanged, this, [this] { scheduleEverything(); });
}

GridItem ScrolledGrid::heldItem() const
{
    if (m_bar->value() == 0)
        return {};
    if (hasFocus() && placeOf(m_current).intersects(rect()))
        return m_current;
    for (int index = 0; index < m_geometry.itemCount(); ++index) {
        if (m_geometry.place(index).top() >= m_bar->value())
            return m_geometry.item(index);
    }
    return {};
}

void ScrolledGrid::layOut()
{
    GridItem held = heldItem();
    const int heldTop = placeOf(held).top();
    prepare(m_blocks);
    const DeviceGridGeometry::Metrics needed = metrics();
    m_geometry = DeviceGridGeometry(m_blocks, needed, width());
    if (m_geometry.height() > height())
        m_geometry = DeviceGridGeometry(m_blocks, needed, width() - m_bar->sizeHint().width());
    if (m_geometry.indexOf(held) < 0)
        held.cell = -1;
    const int heldIndex = m_geometry.indexOf(held);

    const int beyond = std::max(m_geometry.height() - height(), 0);
    m_bar->setRange(0, beyond);
    m_bar->setPageStep(height());
    m_bar->setSingleStep(needed.minimumCell.height() / 2);
    if (heldIndex >= 0)
        m_bar->setValue(m_geometry.place(heldIndex).top() - heldTop);
    const int barWidth = m_bar->sizeHint().width();
    m_bar->setGeometry(width() - barWidth, 0, barWidth, height());
    m_bar->setVisible(beyond > 0);
    updateGeometry();
    scheduleEverything();
}

QRect ScrolledGrid::placeOf(const GridItem &item) const
{
    const QRect place = m_geometry.place(m_geometry.indexOf(item));
    return place.isEmpty() ? QRect() : place.translated(0, -m_bar->value());
}

void ScrolledGrid::scrollTo(const GridItem &item)
{
    const QRect place = m_geometry.place(m_geometry.indexOf(item));
    if (place.isEmpty())
        return;
    if (place.top() < m_bar->value())
        m_bar->setValue(place.top() - metrics().minimumHeading.height());
    else if (place.bottom() >= m_bar->value() + height())
        m_bar->setValue(place.bottom() + 1 - height() + 8);
}

void ScrolledGrid::scrollToTop()
{
    m_geometry = {};
    m_bar->setValue(0);
}

QSize ScrolledGrid::sizeHint() const
{
    const DeviceGridGeometry::Metrics needed = metrics();
    const int columns = 4;
    return {columns * (needed.minimumCell.width() + needed.gap) + 2 * needed.margin,
            std::max(m_geometry.height(), minimumSizeHint().height())};
}

QSize ScrolledGrid::minimumSizeHint() const
{
    const DeviceGridGeometry::Metrics needed = metrics();
    return {needed.minimumCell.width() + 2 * needed.margin,
            needed.minimumCell.height() + needed.minimumHeading.height() + 2 * needed.margin};
}

void ScrolledGrid::setCurrent(const GridItem &item)
{
    if (m_geometry.indexOf(item) < 0)
        return;
    m_current = item;
    scrollTo(item);
    describeCurrent();
    schedule();
    Q_EMIT currentMoved();
}

void ScrolledGrid::moveCurrent(Qt::Key key, Qt::KeyboardModifiers)
{
    setCurrent(m_geometry.item(m_geometry.neighbour(m_geometry.indexOf(m_current), key, height())));
}

bool ScrolledGrid::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return CanvasWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const GridItem item = itemAt(help->pos());
    const QString words = noteOf(item);
    if (words.isEmpty())
        QToolTip::hideText();
    else // Escaped: messages and names of processes may look like markup.
        QToolTip::showText(help->globalPos(), u"<p>%1</p>"_s.arg(words.toHtmlEscaped()), this, placeOf(item));
    return true;
}

void ScrolledGrid::focusInEvent(QFocusEvent *)
{
    // The base class would repaint the whole widget, but only one cell differs.
    describeCurrent();
    schedule();
}

void ScrolledGrid::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        moveCurrent(Qt::Key(event->key()), event->modifiers());
        return;
    default:
        CanvasWidget::keyPressEvent(event);
    }
}

void ScrolledGrid::wheelEvent(QWheelEvent *event)
{
    const int beyond =
        event->angleDelta().y() * QApplication::wheelScrollLines() * canvas().cellSize().height();
    m_bar->setValue(m_bar->value() - beyond / QWheelEvent::DefaultDeltasPerStep);
}

} // namespace rankdeck
