#include "canvas/widget/canvaswidget.h"

#include "canvas/drawing/paintercanvas.h"
#include "canvas/widget/backends.h"
#include "canvas/widget/framepacer.h"

#include <QWindow>

namespace rankdeck
{

CanvasWidget::CanvasWidget(QWidget *parent)
    : QWidget(parent)
    , m_canvas(createWidgetCanvas(this))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAttribute(Qt::WA_Hover, false);
    connect(&FramePacer::instance(), &FramePacer::frame, this, &CanvasWidget::frame);
    m_canvas->seenAgain = [this] {
        if (m_hasChanged)
            FramePacer::instance().answerSoon();
        wake();
        Q_EMIT seenAgain();
    };
    m_canvas->reset(size(), font(), devicePixelRatioF());
}

QSize CanvasWidget::cells(int columns, int rows) const
{
    const QSize cell = canvas().cellSize();
    return {columns * cell.width(), rows * cell.height()};
}

void CanvasWidget::describe(const QString &words)
{
    if (words != accessibleDescription())
        setAccessibleDescription(words);
    Q_EMIT described(words);
}

void CanvasWidget::setFlooded(bool flooded)
{
    FramePacer::instance().setInterval(this, flooded && isVisible() ? m_canvas->floodInterval() : 0);
}

void CanvasWidget::paintPicture(QPainter &painter)
{
    PainterCanvas canvas(painter, size(), font(), devicePixelRatioF());
    drawCanvas(canvas, true);
    // The widget now remembers contents that the screen may not show.
    scheduleEverything();
}

void CanvasWidget::wake()
{
    if (m_hasChanged && isVisible() && !m_canvas->isCovered())
        FramePacer::instance().request();
}

void CanvasWidget::frame()
{
    if (!m_hasChanged || !isVisible() || m_canvas->isCovered())
        return;
    if (window()->isMinimized()) {
        // A child widget gets no event when its window is restored; the window's handle has a signal.
        if (QWindow *handle = window()->windowHandle())
            connect(handle, &QWindow::visibilityChanged, this, &CanvasWidget::wake, Qt::UniqueConnection);
        return;
    }
    drawNow();
    present();
}

void CanvasWidget::drawNow()
{
    m_hasChanged = false;
    drawCanvas(*m_canvas, std::exchange(m_everythingChanged, false));
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
        m_everythingChanged = true;
    }
    const bool everything = m_everythingChanged;
    // First show, resize or new colours: the canvas holds nothing valid yet.
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
    m_everythingChanged = true;
    roomChanged();
}

void CanvasWidget::changeEvent(QEvent *event)
{
    const bool isFont = event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange;
    const bool isPalette = event->type() == QEvent::PaletteChange;
    if (isFont)
        m_canvas->reset(size(), font(), devicePixelRatioF());
    if (isFont || isPalette || event->type() == QEvent::EnabledChange)
        scheduleEverything();
    QWidget::changeEvent(event);
    if (isFont)
        roomChanged();
    else if (isPalette)
        paletteChanged();
}

void CanvasLabel::setText(const QString &text)
{
    if (text == m_text)
        return;
    const QSize before = sizeHint();
    m_text = text;
    if (sizeHint() != before)
        updateGeometry();
    schedule();
}

void CanvasLabel::drawCanvas(Canvas &canvas, bool everything)
{
    if (!everything && m_text == m_drawn)
        return;
    m_drawn = m_text;
    const QRect area(QPoint(), canvas.size());
    canvas.fill(area, palette().color(backgroundRole()));
    const QPoint at(area.width() - cellWidth(m_text) * canvas.cellSize().width(),
                    (area.height() - canvas.cellSize().height()) / 2);
    canvas.text(at, m_text, {palette().color(foregroundRole()), {}}, area);
}

} // namespace rankdeck
