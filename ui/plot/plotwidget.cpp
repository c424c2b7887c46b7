#include "plot/plotwidget.h"

#include "canvas/canvas.h"
#include "canvas/celltext.h"
#include "canvas/cellwidth.h"
#include "log/ansidecoder.h"
#include "log/ranklabel.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>

namespace rankdeck
{

PlotWidget::PlotWidget(QWidget *parent)
    : CanvasWidget(parent)
    , m_look(palette())
{
    setFocusPolicy(Qt::StrongFocus);
}

QColor PlotWidget::colorOf(int curve) const
{
    const QByteArray escape = "\x1b[" + rankColor(curve).toByteArray() + "mx";
    return m_look.foreground(AnsiDecoder().decode(escape).first().style, m_look.base());
}

PlotScaleLook PlotWidget::scaleLook() const
{
    return {palette().color(QPalette::AlternateBase), m_look.muted()};
}

void PlotWidget::drawEmpty(Canvas &canvas, const QString &sentence) const
{
    const QRect whole(QPoint(), canvas.size());
    canvas.fill(whole, m_look.base());
    const QSize cell = canvas.cellSize();
    const QString text = elidedToCells(sentence, whole.width() / cell.width());
    const QPoint at(std::max(0, (whole.width() - cellWidth(text) * cell.width()) / 2),
                    (whole.height() - cell.height()) / 2);
    canvas.text(at, text, {m_look.muted(), {}}, whole);
}

void PlotWidget::changeEvent(QEvent *event)
{
    CanvasWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_look = LogPalette(palette());
}

void PlotWidget::focusInEvent(QFocusEvent *)
{
    schedule();
}

void PlotWidget::focusOutEvent(QFocusEvent *)
{
    schedule();
}

void PlotWidget::keyPressEvent(QKeyEvent *event)
{
    const bool isFar = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
    case Qt::Key_Left:
        moveCursor(CursorMove::Back, isFar);
        return;
    case Qt::Key_Right:
        moveCursor(CursorMove::On, isFar);
        return;
    case Qt::Key_Home:
        moveCursor(CursorMove::First, isFar);
        return;
    case Qt::Key_End:
        moveCursor(CursorMove::Last, isFar);
        return;
    default:
        CanvasWidget::keyPressEvent(event);
    }
}

void PlotWidget::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        placeCursor(event->position().toPoint());
    else
        event->ignore();
}

void PlotWidget::resizeEvent(QResizeEvent *event)
{
    CanvasWidget::resizeEvent(event);
    scaleAxes();
}

} // namespace rankdeck
