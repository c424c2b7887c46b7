#include "canvas/canvaswidget.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QPaintEvent>
#include <QTimer>
#include <QWindow>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int frameInterval = 100; // ms

} // namespace

struct CanvasWidget::Private {
    QTimer timer;
    QElapsedTimer sinceFrame;
    bool changed = false;
    bool everything = true;
};

CanvasWidget::CanvasWidget(QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Private>())
    , m_canvas(createWidgetCanvas(this))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAttribute(Qt::WA_Hover, false);
    d->timer.setSingleShot(true);
    connect(&d->timer, &QTimer::timeout, this, &CanvasWidget::frame);
    m_canvas->reset(size(), font(), devicePixelRatioF());
}

CanvasWidget::~CanvasWidget() = default;

void CanvasWidget::schedule()
{
    d->changed = true;
    wake();
}

void CanvasWidget::scheduleEverything()
{
    d->everything = true;
    schedule();
}

void CanvasWidget::wake()
{
    if (!d->changed || !isVisible() || d->timer.isActive())
        return;
    const qint64 since = d->sinceFrame.isValid() ? d->sinceFrame.elapsed() : frameInterval;
    d->timer.start(int(std::clamp<qint64>(frameInterval - since, 0, frameInterval)));
}

void CanvasWidget::frame()
{
    if (!d->changed || !isVisible())
        return;
    if (window()->isMinimized()) {
        // Nobody tells a child that its window came back, but the window's handle does.
        if (QWindow *handle = window()->windowHandle())
            connect(handle, &QWindow::visibilityChanged, this, &CanvasWidget::wake, Qt::UniqueConnection);
        return;
    }
    drawNow();
    m_canvas->present();
}

void CanvasWidget::drawNow()
{
    const bool everything = d->everything;
    d->changed = false;
    d->everything = false;
    d->timer.stop();
    d->sinceFrame.start();
    drawCanvas(*m_canvas, everything);
}

void CanvasWidget::paintEvent(QPaintEvent *event)
{
    if (m_canvas->devicePixelRatio() != devicePixelRatioF()) {
        m_canvas->reset(size(), font(), devicePixelRatioF());
        d->everything = true;
    }
    const bool everything = d->everything;
    // First show, resize or new colours: there is nothing right to show before this.
    if (everything)
        drawNow();
    m_canvas->expose(event->region());
    if (everything)
        m_canvas->present();
}

void CanvasWidget::resizeEvent(QResizeEvent *)
{
    m_canvas->reset(size(), font(), devicePixelRatioF());
    d->everything = true;
}

void CanvasWidget::showEvent(QShowEvent *)
{
    d->everything = true;
}

void CanvasWidget::hideEvent(QHideEvent *)
{
    d->timer.stop();
}

void CanvasWidget::changeEvent(QEvent *event)
{
    switch (event->type()) {
    case QEvent::FontChange:
    case QEvent::StyleChange:
        m_canvas->reset(size(), font(), devicePixelRatioF());
        scheduleEverything();
        break;
    case QEvent::PaletteChange:
    case QEvent::EnabledChange:
        scheduleEverything();
        break;
    default:
        break;
    }
    QWidget::changeEvent(event);
}

} // namespace rankdeck
