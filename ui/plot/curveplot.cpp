#include "plot/curveplot.h"

#include "canvas/drawing/paintercanvas.h"
#include "chart/svgchart.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace rankdeck
{

constexpr int svgMarks = 7;
constexpr int tenth = 10;
constexpr int dragDistance = 6; // pixels
constexpr double zoomStep = 2;
constexpr double panStep = 0.25; ///< Part of the visible range.
constexpr int mostTipLines = 24;

void CurvePlot::setContents(const QList<PlotName> &names, const QList<PlotChart> &charts)
{
    m_names = names;
    m_charts = charts;
    scaleAxes();
    describe();
    schedule();
}

void CurvePlot::setEmphasized(int curve)
{
    if (m_emphasized == curve)
        return;
    m_emphasized = curve;
    schedule();
}

bool CurvePlot::isEmpty() const
{
    return std::ranges::all_of(m_charts, [](const PlotChart &chart) {
        return std::ranges::all_of(chart.curves, &std::vector<PlotPoint>::empty);
    });
}

const PlotPoint *CurvePlot::pointAt(const std::vector<PlotPoint> &curve, qint64 place)
{
    const auto behind = std::ranges::upper_bound(curve, place, {}, &PlotPoint::from);
    return behind == curve.begin() ? nullptr : &*(behind - 1);
}

PlotGeometry CurvePlot::partsIn(const QSize &size, const QSize &cell) const
{
    const int charts = int(m_charts.size());
    return {size, cell, charts, mayStandBeside() ? PlotGeometry::columnsFor(size, cell, charts) : 1};
}

std::vector<PlotPoint> CurvePlot::seen(const std::vector<PlotPoint> &curve) const
{
    return m_range ? pointsWithin(curve, m_along) : curve;
}

void CurvePlot::scaleAxes()
{
    const PlotGeometry parts = geometryOfParts();
    m_first = std::numeric_limits<qint64>::max();
    m_last = std::numeric_limits<qint64>::min();
    for (const PlotChart &chart : std::as_const(m_charts)) {
        for (const std::vector<PlotPoint> &curve : chart.curves) {
            if (curve.empty())
                continue;
            m_first = std::min(m_first, curve.front().from);
            m_last = std::max(m_last, curve.back().to);
        }
    }
    if (m_first > m_last)
        m_first = m_last = 0;
    if (m_range && (m_range->first >= m_last || m_range->last <= m_first))
        m_range.reset(); // These are other curves.
    m_along = m_range ? axisFor(m_range->first, m_range->last, parts.marksAlong(), AxisEnd::Exact)
                      : axisFor(m_first, m_last, parts.marksAlong(), AxisEnd::Roomy);
    m_values.clear();
    for (const PlotChart &chart : std::as_const(m_charts)) {
        std::vector<std::vector<PlotPoint>> curves;
        for (const std::vector<PlotPoint> &curve : chart.curves)
            curves.push_back(seen(curve));
        m_values << valueAxis(chart, curves, parts.valueMarks());
    }
}

void CurvePlot::setRange(const std::optional<PlotRange> &range)
{
    std::optional<PlotRange> wanted = range;
    if (wanted) {
        // A range that would go beyond one end moves inwards.
        const qint64 least = firstPlace();
        const auto most = qint64(axisFor(m_first, m_last, 2, AxisEnd::Roomy).most);
        const qint64 width = wanted->last - wanted->first;
        if (width < 2)
            return;
        wanted->last = std::min(most, std::max(least, wanted->first) + width);
        wanted->first = std::max(least, wanted->last - width);
        if (wanted->first <= least && wanted->last >= m_last)
            wanted.reset();
    }
    if (wanted == m_range)
        return;
    m_range = wanted;
    scaleAxes();
    schedule();
}

void CurvePlot::zoom(double factor, qint64 around)
{
    const PlotRange now = shownRange();
    setRange(PlotRange{around - qint64(std::round(double(around - now.first) / factor)),
                       around + qint64(std::round(double(now.last - around) / factor))});
}

void CurvePlot::pan(double share)
{
    if (!m_range)
        return;
    const auto by = qint64(std::round(double(m_range->last - m_range->first) * share));
    setRange(PlotRange{m_range->first + by, m_range->last + by});
}

ShownCurves CurvePlot::shown(const PlotGeometry &parts, bool withCursor) const
{
    ShownCurves now;
    now.names = m_names;
    now.along = m_along;
    for (const double mark : m_along.marks)
        now.marks.append({mark, markAlong(m_along, mark)});
    now.emphasized = m_emphasized;
    for (int chart = 0; chart < m_charts.size(); ++chart) {
        const QRect area = parts.chart(chart);
        ShownCurves::Chart its{m_charts.at(chart).title, m_values.at(chart), {}, rowsOfLabels(parts, chart)};
        its.columns.resize(std::size_t(std::max(0, area.width())));
        for (const std::vector<PlotPoint> &curve : m_charts.at(chart).curves) {
            const auto spans = plotSpans(seen(curve), m_along, its.values, area);
            for (std::size_t x = 0; x < spans.size(); ++x)
                its.columns[x].push_back(spans[x]);
        }
        now.charts.append(std::move(its));
    }
    if (!withCursor)
        return now;
    if (m_cursor && parts.chart(0).width() > 0)
        now.cursor = plotColumn(m_along, *m_cursor, parts.chart(0).width());
    if (m_dragged)
        now.dragged = PlotRange{std::min(m_dragged->first, m_dragged->last),
                                std::max(m_dragged->first, m_dragged->last)};
    if (hasFocus())
        now.readout = readout();
    return now;
}

void CurvePlot::drawCanvas(Canvas &canvas, bool everything)
{
    if (isEmpty()) {
        drawEmpty(canvas, emptyText());
        m_drawn.reset();
        return;
    }
    const PlotGeometry parts = geometryOfParts();
    ShownCurves now = shown(parts, true);
    CurvePainter(canvas, parts, *this).draw(now, everything || !m_drawn ? nullptr : &*m_drawn);
    m_drawn = std::move(now);
}

void CurvePlot::paintPicture(QPainter &painter)
{
    PainterCanvas canvas(painter, size(), font(), devicePixelRatioF());
    if (isEmpty()) {
        drawEmpty(canvas, emptyText());
        return;
    }
    const PlotGeometry parts = partsIn(size(), canvas.cellSize());
    CurvePainter(canvas, parts, *this).draw(shown(parts, false), nullptr);
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

/// Returns the rows of the labels, by curve; noRow if there is none.
std::vector<int> CurvePlot::rowsOfLabels(const PlotGeometry &parts, int chart) const
{
    const QRect area = parts.chart(chart);
    const int height = canvas().cellSize().height();
    std::vector<int> rows;
    for (const std::vector<PlotPoint> &curve : m_charts.at(chart).curves) {
        if (curve.empty() || !curve.back().hasValue) {
            rows.push_back(noRow);
            continue;
        }
        const double fraction = m_values.at(chart).fraction(double(curve.back().last));
        rows.push_back(area.bottom() - int(fraction * area.height()) - height / 2);
    }
    return spreadRows(rows, area.top(), area.bottom() + 1, height);
}

void CurvePlot::setCursor(qint64 place)
{
    m_cursor = std::clamp(place, firstPlace(), lastPlace());
    describe();
    schedule();
}

void CurvePlot::moveCursor(CursorMove where, bool isFar)
{
    if (isEmpty())
        return;
    const int width = std::max(1, geometryOfParts().chart(0).width());
    const auto all = qint64(m_along.most - m_along.least);
    const qint64 one = std::max<qint64>(1, all / width);
    const qint64 distance = isFar ? std::max(one, (lastPlace() - firstPlace()) / tenth) : one;
    setCursor(where == CursorMove::Back    ? m_cursor.value_or(lastPlace()) - distance
              : where == CursorMove::On    ? m_cursor.value_or(firstPlace() - distance) + distance
              : where == CursorMove::First ? firstPlace()
                                           : lastPlace());
}

std::optional<qint64> CurvePlot::placeAt(const QPoint &at) const
{
    const PlotGeometry parts = geometryOfParts();
    const QRect area = parts.chart(parts.chartAt(at));
    if (area.width() <= 0 || isEmpty())
        return std::nullopt;
    return plotPlace(m_along, std::clamp(at.x() - area.left(), 0, area.width() - 1), area.width());
}

void CurvePlot::placeCursor(const QPoint &place)
{
    if (const auto at = placeAt(place))
        setCursor(*at);
}

bool CurvePlot::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return PlotWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const auto place = placeAt(help->pos());
    if (!place)
        return PlotWidget::event(event);
    QStringList lines = readoutAt(place, u"\n"_s).split('\n'_L1);
    if (lines.size() > mostTipLines)
        lines = lines.mid(0, mostTipLines) + QStringList{u"…"_s};
    lines << tr("Drag over a range to zoom in; 0 shows all.");
    QToolTip::showText(help->globalPos(), lines.join('\n'_L1), this);
    return true;
}

void CurvePlot::keyPressEvent(QKeyEvent *event)
{
    const PlotRange shown = shownRange();
    const qint64 around = std::clamp(m_cursor.value_or(shown.last), shown.first, shown.last);
    const bool isShifted = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool isOther = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier) || isEmpty();
    const int key = isOther ? 0 : event->key();
    if (key == Qt::Key_Plus || key == Qt::Key_Equal)
        zoom(zoomStep, around);
    else if (key == Qt::Key_Minus)
        zoom(1 / zoomStep, around);
    else if (key == Qt::Key_0)
        setRange(std::nullopt);
    else if (isShifted && key == Qt::Key_Left)
        pan(-panStep);
    else if (isShifted && key == Qt::Key_Right)
        pan(panStep);
    else
        PlotWidget::keyPressEvent(event);
}

void CurvePlot::mousePressEvent(QMouseEvent *event)
{
    PlotWidget::mousePressEvent(event);
    const QRect area = geometryOfParts().chart(geometryOfParts().chartAt(event->pos()));
    if (event->button() == Qt::LeftButton && area.width() > 0) {
        const int column = std::clamp(event->pos().x() - area.left(), 0, area.width() - 1);
        m_dragged = PlotRange{column, column};
    }
}

void CurvePlot::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_dragged || !event->buttons().testFlag(Qt::LeftButton))
        return;
    const QRect area = geometryOfParts().chart(geometryOfParts().chartAt(event->pos()));
    m_dragged->last = std::clamp(event->pos().x() - area.left(), 0, std::max(0, area.width() - 1));
    schedule();
}

void CurvePlot::mouseReleaseEvent(QMouseEvent *event)
{
    if (!m_dragged || event->button() != Qt::LeftButton)
        return;
    const PlotRange dragged = *std::exchange(m_dragged, std::nullopt);
    schedule();
    const int width = geometryOfParts().chart(0).width();
    const auto [first, last] = std::minmax({int(dragged.first), int(dragged.last)});
    if (last - first >= dragDistance)
        setRange(PlotRange{plotPlace(m_along, first, width), plotPlace(m_along, last, width)});
}

void CurvePlot::wheelEvent(QWheelEvent *event)
{
    const QPoint turned = event->angleDelta();
    const auto place = placeAt(event->position().toPoint());
    if (event->modifiers().testFlag(Qt::ControlModifier) && turned.y() != 0 && place)
        zoom(turned.y() > 0 ? zoomStep : 1 / zoomStep, *place);
    else if (event->modifiers().testFlag(Qt::ShiftModifier) && m_range)
        pan(turned.x() + turned.y() > 0 ? -panStep : panStep);
    else
        event->ignore();
}

} // namespace rankdeck
