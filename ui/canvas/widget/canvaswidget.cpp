#include "canvas/canvaswidget.h"

#include "canvas/framepacer.h"

#include <QEvent>
#include <QPaintEvent>
#include <QWindow>

namespace rankdeck
{

struct CanvasWidget::Private {
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
    connect(&FramePacer::instance(), &FramePacer::frame, this, &CanvasWidget::frame);
    m_canvas->seenAgain = [this] {
        if (d->changed)
            FramePacer::instance().answerSoon();
        wake();
        Q_EMIT seenAgain();
    };
    m_canvas->reset(size(), font(), devicePixelRatioF());
}

CanvasWidget::~CanvasWidget()
{
    setFlooded(false);
}

bool CanvasWidget::isSeen() const
{
    return isVisible() && !window()->isMinimized() && !m_canvas->isCovered();
}

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

void CanvasWidget::setFlooded(bool flooded)
{
    FramePacer::instance().setInterval(this, flooded && isVisible() ? m_canvas->floodInterval() : 0);
}

void CanvasWidget::wake()
{
    if (d->changed && isVisible() && !m_canvas->isCovered())
        FramePacer::instance().request();
}

void CanvasWidget::frame()
{
    if (!d->changed || !isVisible() || m_canvas->isCovered())
        return;
    if (window()->isMinimized()) {
        // Nobody tells a child that its window came back, but the window's handle does.
        if (QWindow *handle = window()->windowHandle())
            connect(handle, &QWindow::visibilityChanged, this, &CanvasWidget::wake, Qt::UniqueConnection);
        return;
    }
    drawNow();
    present();
}

void CanvasWidget::drawNow()
{
    const bool everything = d->everything;
    d->changed = false;
    d->everything = false;
    drawCanvas(*m_canvas, everything);
}

void CanvasWidget::present()
{
    if (m_canvas->present())
        FramePacer::instance().sending();
}

bool CanvasWidget::event(QEvent *event)
{
    switch (event->type()) {
    case QEvent::KeyPress:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseMove:
    case QEvent::Wheel:
        FramePacer::instance().answerSoon();
        break;
    default:
        break;
    }
    return QWidget::event(event);
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
    if (m_canvas->expose(event->region()))
        FramePacer::instance().sending();
    if (everything)
        present();
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
    setFlooded(false);
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
