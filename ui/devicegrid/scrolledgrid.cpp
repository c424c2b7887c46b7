#include "devicegrid/scrolledgrid.h"

#include <QApplication>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>

namespace rankdeck
{

ScrolledGrid::ScrolledGrid(QWidget *parent)
    : CanvasWidget(parent)
    , m_bar(new QScrollBar(Qt::Vertical, this))
{
    m_bar->setFocusPolicy(Qt::NoFocus);
    m_bar->setCursor(Qt::ArrowCursor);
    connect(m_bar, &QScrollBar::valueChanged, this, [this] { scheduleEverything(); });
}

void ScrolledGrid::setBlocks(const QList<DeviceGridGeometry::Block> &blocks)
{
    m_blocks = blocks;
    layOut();
}

GridItem ScrolledGrid::heldItem() const
{
    if (m_bar->value() == 0)
        return {};
    if (hasFocus() && placeOf(cursor()).intersects(rect()))
        return cursor();
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
    const DeviceGridGeometry::Metrics needed = metrics();
    m_geometry = DeviceGridGeometry(m_blocks, needed, width());
    if (m_geometry.height() > height())
        m_geometry = DeviceGridGeometry(m_blocks, needed, width() - m_bar->sizeHint().width());
    if (m_geometry.indexOf(held) < 0)
        held.cell = -1;
    if (m_geometry.indexOf(held) < 0)
        held = {};

    const int beyond = std::max(m_geometry.height() - height(), 0);
    m_bar->setRange(0, beyond);
    m_bar->setPageStep(height());
    m_bar->setSingleStep(needed.minimumCell.height() / 2);
    if (held.isValid())
        m_bar->setValue(m_geometry.place(m_geometry.indexOf(held)).top() - heldTop);
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

GridItem ScrolledGrid::itemAt(const QPoint &place) const
{
    return m_geometry.item(m_geometry.itemAt(place + QPoint(0, m_bar->value())));
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

void ScrolledGrid::resizeEvent(QResizeEvent *event)
{
    CanvasWidget::resizeEvent(event);
    layOut();
}

void ScrolledGrid::changeEvent(QEvent *event)
{
    CanvasWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        layOut();
}

void ScrolledGrid::wheelEvent(QWheelEvent *event)
{
    const int beyond =
        event->angleDelta().y() * QApplication::wheelScrollLines() * canvas().cellSize().height();
    m_bar->setValue(m_bar->value() - beyond / QWheelEvent::DefaultDeltasPerStep);
}

} // namespace rankdeck
