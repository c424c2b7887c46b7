#include "mainwindow/runpage/pagesplitter.h"

#include "devicegrid/grid/devicegrid.h"
#include "devicegrid/grid/devicepanel.h"

namespace rankdeck
{

PageSplitter::PageSplitter(DevicePanel *devices, QWidget *logs, QWidget *parent)
    : QSplitter(Qt::Vertical, parent)
    , m_devices(devices)
{
    setObjectName(u"runSplitter"_s);
    addWidget(devices);
    addWidget(logs);
    setStretchFactor(1, 1);
    setChildrenCollapsible(false);
    connect(this, &QSplitter::splitterMoved, this, [this] { m_userDivided = true; });
    connect(devices, &DevicePanel::laidOut, this, &PageSplitter::divide);
}

void PageSplitter::divide()
{
    DeviceGrid *const grid = m_devices->grid();
    // A filter changes the number of cells often: logs do not move for it.
    if (m_userDivided)
        grid->setRoom(0);
    if (m_userDivided || grid->cellCount() == 0 || m_devices->isHidden() || grid->isFiltered())
        return;
    const int total = height() - handleWidth();
    const int beside = std::max(0, m_devices->sizeHint().height() - grid->sizeHint().height());
    grid->setRoom(total / 2 - beside);
    const int devices = std::min(m_devices->sizeHint().height(), total / 2);
    setSizes({devices, total - devices});
}

void PageSplitter::resizeEvent(QResizeEvent *event)
{
    QSplitter::resizeEvent(event);
    divide();
}

} // namespace rankdeck
