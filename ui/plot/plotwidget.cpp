#include "plot/plotwidget.h"

#include <QMap>

#include <cmath>

namespace rankdeck
{

constexpr int tickHeight = 4; // pixels

int plotRow(const PlotAxis &values, double value, const QRect &area)
{
    return area.bottom() - int(std::lround(values.fraction(value) * (area.height() - 1)));
}

void drawValueScale(Canvas &canvas, const PlotAxis &values, const QRect &chart, const QRect &scale,
                    const PlotScaleLook &look)
{
    const QSize cell = canvas.cellSize();
    const QRect room = scale.adjusted(0, -cell.height(), 0, cell.height());
    for (const double mark : values.marks) {
        const int y = plotRow(values, mark, chart);
        canvas.fill(QRect(chart.left(), y, chart.width(), 1), look.line);
        const QString text = markText(values, mark);
        const int left = scale.right() - cellWidth(text) * cell.width();
        canvas.text({left, y - cell.height() / 2}, text, {look.text, {}}, room);
    }
}

void drawScaleBelow(Canvas &canvas, const PlotAxis &axis, const QList<PlotMark> &marks, const QRect &scale,
                    const PlotScaleLook &look)
{
    for (const PlotMark &mark : marks) {
        const int middle = scale.left() + int(axis.fraction(mark.value) * (scale.width() - 1));
        const int left = middle - cellWidth(mark.text) * canvas.cellSize().width() / 2;
        canvas.fill(QRect(middle, scale.top() - tickHeight, 1, tickHeight), look.text);
        canvas.text({left, scale.top()}, mark.text, {look.text, {}}, QRect(QPoint(), canvas.size()));
    }
}

PlotWidget::PlotWidget(QWidget *parent)
    : CanvasWidget(parent)
    , m_look(palette())
{
    setFocusPolicy(Qt::StrongFocus);
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

void PlotWidget::keyPressEvent(QKeyEvent *event)
{
    static const QMap<int, CursorMove> moves{{Qt::Key_Left, CursorMove::Back},
                                             {Qt::Key_Right, CursorMove::On},
                                             {Qt::Key_Home, CursorMove::First},
                                             {Qt::Key_End, CursorMove::Last}};
    if (const auto move = moves.constFind(event->key()); move != moves.cend())
        moveCursor(*move, event->modifiers().testFlag(Qt::ControlModifier));
    else
        CanvasWidget::keyPressEvent(event);
}

void PlotWidget::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        placeCursor(event->position().toPoint());
    else
        event->ignore();
}

} // namespace rankdeck
