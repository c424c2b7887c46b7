#include "plot/curvepainter.h"

#include "widgets/tone.h"

#include <cmath>

namespace rankdeck
{

constexpr int lineWidth = 2; // pixels
constexpr int thickWidth = 4;
constexpr int oddHeight = 6; ///< Height of the mark for values that are not numbers, at the top.
constexpr double dragShade = 0.2;

bool ShownCurves::hasFrameOf(const ShownCurves &other) const
{
    const auto haveSameFrame = [](const Chart &one, const Chart &another) {
        return one.title == another.title && one.values == another.values;
    };
    return names == other.names && along == other.along && emphasized == other.emphasized &&
           std::ranges::equal(charts, other.charts, haveSameFrame);
}

void CurvePainter::draw(const ShownCurves &now, const ShownCurves *before)
{
    if (before && !now.hasFrameOf(*before))
        before = nullptr;
    if (!before) {
        m_canvas.fill(QRect(QPoint(), m_canvas.size()), m_look.base());
        drawLegend(now);
        drawScales(now);
    }
    for (int chart = 0; chart < now.charts.size(); ++chart) {
        const ShownCurves::Chart &its = now.charts.at(chart);
        const ShownCurves::Chart *const old = before ? &before->charts.at(chart) : nullptr;
        for (int x = 0; x < int(its.columns.size()); ++x) {
            const auto column = std::size_t(x);
            if (!old || its.columns[column] != old->columns[column] || !now.hasMarksOf(*before, x))
                drawColumn(now, chart, x, !before);
        }
        if (!old || its.labels != old->labels)
            drawLabels(now, chart);
    }
    if (before && before->readout == now.readout)
        return;
    const QRect area = m_parts.readout();
    m_canvas.fill(area, m_look.base());
    m_canvas.text(area.topLeft(), elidedToCells(now.readout, area.width() / m_canvas.cellSize().width()),
                  {m_look.text(), {}}, area);
}

void CurvePainter::drawLegend(const ShownCurves &now)
{
    const QRect area = m_parts.legend();
    QPoint at = area.topLeft();
    for (int curve = 0; curve < now.names.size(); ++curve) {
        const QString text = u"\u25a0 "_s + now.names.at(curve).name;
        const int width = (cellWidth(text) + 2) * m_canvas.cellSize().width();
        if (at.x() + width > area.right()) {
            m_canvas.text(at, u"…"_s, {m_look.muted(), {}}, area);
            break;
        }
        m_canvas.text(at, text, {m_plot.colorOf(curve), {}}, area);
        at.rx() += width;
    }
}

void CurvePainter::drawScales(const ShownCurves &now)
{
    for (int chart = 0; chart < now.charts.size(); ++chart) {
        const ShownCurves::Chart &its = now.charts.at(chart);
        m_canvas.text(m_parts.title(chart).topLeft(), its.title, {m_look.text(), {}, true},
                      m_parts.title(chart));
        drawValueScale(m_canvas, its.values, m_parts.chart(chart), m_parts.scale(chart), m_plot.scaleLook());
        if (m_parts.hasScaleBelow(chart))
            drawScaleBelow(m_canvas, now.along, now.marks, m_parts.scaleBelow(chart), m_plot.scaleLook());
    }
}

void CurvePainter::drawColumn(const ShownCurves &now, int chart, int x, bool isFresh)
{
    const ShownCurves::Chart &its = now.charts.at(chart);
    const QRect area = m_parts.chart(chart);
    const QRect whole(area.left() + x, area.top(), 1, area.height());
    const bool isDragged = now.isDragged(x);
    if (!isFresh || isDragged) {
        const QColor highlight = m_plot.palette().color(QPalette::Highlight);
        m_canvas.fill(whole, isDragged ? mixed(m_look.base(), highlight, dragShade) : m_look.base());
        for (const double mark : its.values.marks)
            m_canvas.fill(QRect(whole.left(), plotRow(its.values, mark, area), 1, 1),
                          m_plot.scaleLook().line);
    }
    if (x == now.cursor)
        m_canvas.fill(whole, m_look.muted());
    const std::vector<PlotSpan> &spans = its.columns[std::size_t(x)];
    const auto curves = int(spans.size());
    for (int curve = 0; curve < curves; ++curve) {
        const PlotSpan &span = spans[std::size_t(curve)];
        if (curve != now.emphasized)
            drawSpan(area, x, span, m_plot.colorOf(curve), 0);
        if (span.isOdd)
            m_canvas.fill(QRect(whole.left(), area.top(), 1, oddHeight),
                          toneColor(Tone::Bad, m_plot.palette()));
    }
    if (now.emphasized >= 0 && now.emphasized < curves)
        drawSpan(area, x, spans[std::size_t(now.emphasized)], m_plot.colorOf(now.emphasized),
                 (thickWidth - lineWidth) / 2.0);
}

/// @param more pixels above and below than a line has.
void CurvePainter::drawSpan(const QRect &area, int x, const PlotSpan &span, const QColor &color, double more)
{
    if (span.isEmpty())
        return;
    const double top = double(span.top) - more;
    const double end = std::max(double(span.top) + lineWidth, double(span.bottom) + 1) + more;
    const int left = area.left() + x;
    const auto whole = int(std::ceil(top));
    const auto wholeEnd = int(std::floor(end));
    m_canvas.fill(QRect(left, whole, 1, wholeEnd - whole).intersected(area), color);
    // A row that the line covers in part.
    const auto fillPart = [&](int row, double covered) {
        if (covered > 0)
            m_canvas.fill(QRect(left, row, 1, 1).intersected(area), mixed(m_look.base(), color, covered));
    };
    fillPart(whole - 1, whole - top);
    fillPart(wholeEnd, end - wholeEnd);
}

void CurvePainter::drawLabels(const ShownCurves &now, int chart)
{
    const QRect area = m_parts.numbers(chart);
    m_canvas.fill(area, m_look.base());
    const std::vector<int> &rows = now.charts.at(chart).labels;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        if (rows[at] != noRow)
            m_canvas.text({area.left(), rows[at]}, now.names.at(qsizetype(at)).label,
                          {m_plot.colorOf(int(at)), {}, true}, area);
    }
}

} // namespace rankdeck
