#include "canvas/drawing/paintercanvas.h"
#include "chart/svgpicture.h"
#include "plot/curveplot.h"

#include <QPainter>

// How a CurvePlot is saved as a picture.

namespace rankdeck
{

constexpr int svgMarks = 7;

void CurvePlot::paintPicture(QPainter &painter)
{
    PainterCanvas canvas(painter, size(), font(), devicePixelRatioF());
    const PlotGeometry parts = partsIn(size(), canvas.cellSize());
    draw(canvas, parts, wanted(parts, false), nullptr);
}

QByteArray CurvePlot::svg() const
{
    SvgAxis along{axisFor(shownRange().first, shownRange().last, svgMarks, AxisEnd::Exact), {}};
    for (const double mark : std::as_const(along.axis.marks))
        along.marks << markAlong(along.axis, mark);
    QList<PlotChart> charts = m_charts;
    for (PlotChart &chart : charts) {
        for (std::vector<PlotPoint> &curve : chart.curves)
            curve = seen(curve);
    }
    const bool isDark = look().base().lightness() < look().text().lightness();
    return svgPicture({charts, m_names, along, m_emphasized}, isDark);
}

Picture CurvePlot::picture(const QString &name)
{
    const std::shared_ptr<CurvePlot> all = whole();
    CurvePlot *const plot = all ? all.get() : this;
    return {name, plot->size(), logicalDpiX(),
            [plot, all](QPainter &painter) { plot->paintPicture(painter); },
            [plot, all] {
                return plot->svg();
            }};
}

} // namespace rankdeck
