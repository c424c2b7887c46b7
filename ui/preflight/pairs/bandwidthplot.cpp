#include "preflight/bandwidthplot.h"

#include "canvas/celltext.h"
#include "canvas/cellwidth.h"
#include "plot/spreadrows.h"
#include "preflight/pairtable.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>

#include <algorithm>
#include <cmath>

namespace rankdeck
{

namespace
{

constexpr int margin = 6; // pixels
constexpr int lineWidth = 2;
constexpr int pointSide = 7;
constexpr int scaleCharacters = 9;
constexpr int nameCharacters = 11;
constexpr int markCharacters = 10;
constexpr int rowsBetweenMarks = 3;

QString nameOf(const BandwidthCurve &curve)
{
    return BandwidthPlot::tr("%1 ranks").arg(curve.ranks);
}

} // namespace

BandwidthPlot::BandwidthPlot(QWidget *parent)
    : PlotWidget(parent)
{
    setObjectName(QStringLiteral("bandwidthPlot"));
    setAccessibleName(tr("Bandwidth of an allreduce against size"));
    setCurves({});
}

void BandwidthPlot::setCurves(const QList<BandwidthCurve> &curves)
{
    const qint64 cursorSize = m_sizes.value(m_cursor, -1);
    m_curves = curves;
    m_sizes = sizesOf(curves);
    // The cursor stays at its size, whatever sizes come.
    m_cursor = static_cast<int>(m_sizes.indexOf(cursorSize));
    scaleAxes();
    describe();
    scheduleEverything();
}

void BandwidthPlot::scaleAxes()
{
    double most = 0;
    for (const BandwidthCurve &curve : std::as_const(m_curves)) {
        for (const BandwidthCurve::Point &point : curve.points)
            most = std::max(most, point.mbs);
    }
    const int marks = std::max(2, chart().height() / (rowsBetweenMarks * canvas().cellSize().height()) + 1);
    m_values = most > 0 ? plotAxis(0, most, marks) : plotAxis(0, 1, 2);
    m_sizeAxis = {};
    if (m_sizes.isEmpty())
        return;
    m_sizeAxis.least = std::floor(std::log2(double(m_sizes.constFirst())));
    m_sizeAxis.most = std::max(m_sizeAxis.least + 1, std::ceil(std::log2(double(m_sizes.constLast()))));
}

QRect BandwidthPlot::chart() const
{
    const QSize cell = canvas().cellSize();
    const int left = margin + scaleCharacters * cell.width();
    const int top = margin + cell.height() + margin;
    return {left, top, std::max(0, width() - left - margin - nameCharacters * cell.width()),
            std::max(0, height() - top - 2 * margin - cell.height())};
}

QRect BandwidthPlot::sizeScale() const
{
    const QRect area = chart();
    return {area.left(), area.bottom() + 1 + margin, area.width(), canvas().cellSize().height()};
}

QPoint BandwidthPlot::placeOf(const BandwidthCurve::Point &point) const
{
    const QRect area = chart();
    const double fraction = m_sizeAxis.fraction(std::log2(double(point.bytes)));
    return {area.left() + static_cast<int>(std::lround(fraction * (area.width() - 1))),
            plotRow(m_values, point.mbs, area)};
}

/// At sizes that were measured, as many as have room.
QList<PlotMark> BandwidthPlot::sizeMarks() const
{
    QList<PlotMark> marks;
    int free = std::numeric_limits<int>::min();
    for (const qint64 size : m_sizes) {
        const int at = placeOf({size, 0}).x();
        if (at < free)
            continue;
        marks.append({std::log2(double(size)), dataSizeText(size)});
        free = at + markCharacters * canvas().cellSize().width();
    }
    return marks;
}

void BandwidthPlot::drawCanvas(Canvas &canvas, bool)
{
    // It changes when a collective has ended, which is seldom.
    drawFrame(canvas);
    if (m_curves.isEmpty())
        return;
    if (hasFocus() && m_cursor >= 0)
        canvas.fill(QRect(placeOf({m_sizes.at(m_cursor), 0}).x(), chart().top(), 1, chart().height()),
                    look().muted());
    for (int curve = 0; curve < m_curves.size(); ++curve)
        drawCurve(canvas, curve);
    drawNames(canvas);
}

void BandwidthPlot::drawFrame(Canvas &canvas) const
{
    if (m_curves.isEmpty()) {
        drawEmpty(canvas, words());
        return;
    }
    const QRect whole(QPoint(), canvas.size());
    canvas.fill(whole, look().base());
    const QSize cell = canvas.cellSize();
    const QRect area = chart();
    const QString title = tr("allreduce (sum): MB/s by size of data");
    canvas.text({area.left(), margin}, elidedToCells(title, (whole.width() - area.left()) / cell.width()),
                {look().text(), {}, true}, whole);
    const QRect scale(margin, area.top(), area.left() - margin - cell.width(), area.height());
    drawValueScale(canvas, m_values, area, scale, scaleLook());
    drawScaleBelow(canvas, m_sizeAxis, sizeMarks(), sizeScale(), scaleLook());
}

void BandwidthPlot::drawCurve(Canvas &canvas, int curve) const
{
    const QRect area = chart().adjusted(-pointSide, -pointSide, pointSide, pointSide);
    const QColor color = colorOf(curve);
    const QList<BandwidthCurve::Point> &points = m_curves.at(curve).points;
    for (int at = 0; at < points.size(); ++at) {
        const QPoint to = placeOf(points.at(at));
        canvas.fill(
            QRect(to.x() - pointSide / 2, to.y() - pointSide / 2, pointSide, pointSide).intersected(area),
            color);
        if (at == 0)
            continue;
        // Column by column, each as high as the line is there.
        const QPoint from = placeOf(points.at(at - 1));
        const int columns = std::max(1, to.x() - from.x());
        const auto rowAt = [&](int column) {
            return from.y() + (to.y() - from.y()) * column / columns;
        };
        for (int column = 0; column < columns; ++column) {
            const auto [top, bottom] = std::minmax({rowAt(column), rowAt(column + 1)});
            canvas.fill(QRect(from.x() + column, top, 1, bottom - top + lineWidth).intersected(area), color);
        }
    }
}

/// At the end of each line, so that no colour has to be told from another.
void BandwidthPlot::drawNames(Canvas &canvas) const
{
    const int height = canvas.cellSize().height();
    std::vector<int> rows;
    for (const BandwidthCurve &curve : m_curves)
        rows.push_back(placeOf(curve.points.constLast()).y() - height / 2);
    rows = spreadRows(rows, chart().top(), chart().bottom() + 1, height);
    for (int curve = 0; curve < m_curves.size(); ++curve) {
        const int row = rows[std::size_t(curve)];
        if (row != noRow)
            canvas.text({chart().right() + 1 + margin, row},
                        elidedToCells(nameOf(m_curves.at(curve)), nameCharacters - 1),
                        {colorOf(curve), {}, true}, QRect(QPoint(), canvas.size()));
    }
}

QString BandwidthPlot::words() const
{
    if (m_sizes.isEmpty())
        return tr("No allreduce has ended yet.");
    const qint64 size = m_sizes.value(m_cursor, m_sizes.constLast());
    QStringList parts;
    for (const BandwidthCurve &curve : m_curves) {
        const auto point =
            std::find_if(curve.points.begin(), curve.points.end(),
                         [size](const BandwidthCurve::Point &its) { return its.bytes == size; });
        if (point != curve.points.end())
            parts << tr("%1 %2 MB/s", "8 ranks; 812").arg(nameOf(curve), wordedNumber(point->mbs));
    }
    return tr("%1: %2", "size; what each number of ranks had")
        .arg(dataSizeText(size), parts.join(QStringLiteral("; ")));
}

QString BandwidthPlot::text() const
{
    QStringList header{tr("bytes")};
    for (const BandwidthCurve &curve : m_curves)
        header << tr("%1 ranks, MB/s").arg(curve.ranks);
    QStringList lines{header.join(QLatin1Char('\t'))};
    for (const qint64 size : m_sizes) {
        QStringList line{QString::number(size)};
        for (const BandwidthCurve &curve : m_curves) {
            const auto point =
                std::find_if(curve.points.begin(), curve.points.end(),
                             [size](const BandwidthCurve::Point &its) { return its.bytes == size; });
            line << (point == curve.points.end() ? QString() : QString::number(point->mbs, 'f', 1));
        }
        lines << line.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void BandwidthPlot::copy() const
{
    QApplication::clipboard()->setText(text());
}

void BandwidthPlot::describe()
{
    const QString text = words();
    if (text != accessibleDescription())
        setAccessibleDescription(text);
    Q_EMIT described(text);
}

void BandwidthPlot::setCursor(int to)
{
    if (m_sizes.isEmpty())
        return;
    m_cursor = std::clamp(to, 0, static_cast<int>(m_sizes.size()) - 1);
    describe();
    schedule();
}

void BandwidthPlot::moveCursor(CursorMove where, bool)
{
    const int last = static_cast<int>(m_sizes.size()) - 1;
    const int from = m_cursor < 0 ? last : m_cursor;
    switch (where) {
    case CursorMove::Back:
        setCursor(from - 1);
        return;
    case CursorMove::On:
        setCursor(from + 1);
        return;
    case CursorMove::First:
        setCursor(0);
        return;
    case CursorMove::Last:
        setCursor(last);
        return;
    }
}

void BandwidthPlot::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        copy();
    else
        PlotWidget::keyPressEvent(event);
}

void BandwidthPlot::placeCursor(const QPoint &place)
{
    const auto distance = [&](qint64 size) {
        return std::abs(placeOf({size, 0}).x() - place.x());
    };
    const auto nearest = std::min_element(m_sizes.cbegin(), m_sizes.cend(), [&](qint64 one, qint64 other) {
        return distance(one) < distance(other);
    });
    setCursor(static_cast<int>(nearest - m_sizes.cbegin()));
}

QSize BandwidthPlot::sizeHint() const
{
    const QSize cell = canvas().cellSize();
    return {60 * cell.width(), 14 * cell.height()};
}

QSize BandwidthPlot::minimumSizeHint() const
{
    const QSize cell = canvas().cellSize();
    return {32 * cell.width(), 7 * cell.height()};
}

} // namespace rankdeck
