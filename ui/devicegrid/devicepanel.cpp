#include "devicegrid/devicepanel.h"

#include "devicegrid/devicegrid.h"
#include "devicegrid/orderline.h"

#include <QVBoxLayout>

namespace rankdeck
{

DevicePanel::DevicePanel(QWidget *parent)
    : QWidget(parent)
    , m_order(new OrderLine(this))
    , m_grid(new DeviceGrid(this))
{
    setObjectName(QStringLiteral("devicePanel"));
    m_order->hide();
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_order);
    layout->addWidget(m_grid, 1);
    connect(m_order, &OrderLine::orderChanged, m_grid, &DeviceGrid::setCellOrder);
    connect(m_order, &OrderLine::filterChanged, m_grid, &DeviceGrid::setFilter);
    connect(m_order, &OrderLine::closed, this, &DevicePanel::closeOrder);
    connect(m_grid, &DeviceGrid::laidOut, this, &DevicePanel::tellShown);
}

void DevicePanel::openOrder()
{
    m_order->show();
    m_order->focusFilter();
    Q_EMIT laidOut();
}

void DevicePanel::closeOrder()
{
    m_order->hide();
    m_order->clear();
    m_grid->setFocus(Qt::OtherFocusReason);
}

void DevicePanel::tellShown()
{
    m_order->setResult(tr("%1 of %2 shown").arg(m_grid->shownCount()).arg(m_grid->cellCount()));
    Q_EMIT laidOut();
}

} // namespace rankdeck
