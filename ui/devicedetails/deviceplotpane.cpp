#include "devicedetails/deviceplotpane.h"

#include "devicedetails/deviceplot.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollBar>
#include <QWheelEvent>

namespace rankdeck
{

DevicePlotPane::DevicePlotPane(DevicePlot *plot, QWidget *parent)
    : QWidget(parent)
    , m_plot(plot)
    , m_bar(new QScrollBar(Qt::Vertical, this))
{
    m_bar->setObjectName(QStringLiteral("devicePlotBar"));
    m_bar->setFocusPolicy(Qt::NoFocus);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_bar);
    connect(m_plot, &DevicePlot::rowsChanged, this, &DevicePlotPane::fit);
    connect(m_bar, &QScrollBar::valueChanged, m_plot, &DevicePlot::setFirstRow);
    fit();
}

void DevicePlotPane::fit()
{
    m_bar->setRange(0, m_plot->rows() - m_plot->shownRows());
    m_bar->setPageStep(m_plot->shownRows());
    m_bar->setVisible(m_bar->maximum() > 0);
}

void DevicePlotPane::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_PageUp:
        m_bar->triggerAction(QScrollBar::SliderPageStepSub);
        return;
    case Qt::Key_PageDown:
        m_bar->triggerAction(QScrollBar::SliderPageStepAdd);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void DevicePlotPane::wheelEvent(QWheelEvent *event)
{
    QCoreApplication::sendEvent(m_bar, event);
}

} // namespace rankdeck
