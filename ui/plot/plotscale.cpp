#include "plot/plotscale.h"

#include "canvas/canvas.h"
#include "canvas/cellwidth.h"

#include <cmath>

namespace rankdeck
{

namespace
{
constexpr int tickHeight = 4; // pixels
} // namespace

int plotRow(const PlotAxis &values, double value, const QRect &area)
{
    return area.bottom() - static_cast<int>(std::lround(values.fraction(value) * (area.height() - 1)));
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
        const int middle = scale.left() + static_cast<int>(axis.fraction(mark.value) * (scale.width() - 1));
        const int left = middle - cellWidth(mark.text) * canvas.cellSize().width() / 2;
        canvas.fill(QRect(middle, scale.top() - tickHeight, 1, tickHeight), look.text);
        canvas.text({left, scale.top()}, mark.text, {look.text, {}}, QRect(QPoint(), canvas.size()));
    }
}

} // namespace rankdeck
