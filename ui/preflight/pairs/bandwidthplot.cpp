#include "preflight/pairs/bandwidthplot.h"

#include "base/listcomma.h"
#include "preflight/pairs/pairtable.h"

#include <QApplication>
#include <QClipboard>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <map>

namespace rankdeck
{

constexpr int plotMargin = 6; // pixels
constexpr int lineWidth = 2;
constexpr int pointSide = 7;
constexpr int scaleCharacters = 9;
constexpr int nameCharacters = 11;
constexpr int markCharacters = 10;
constexpr int rowsBetweenMarks = 3;

/// Returns the point with this size; null if there is none.
static const BandwidthCurve::Point *pointAt(const BandwidthCurve &curve, qint64 size)
{
    const auto point = std::ranges::find(curve.points, size, &BandwidthCurve::Point::bytes);
    return point == curve.points.cend() ? nullptr : &*point;
}

static QString nameOf(const BandwidthCurve &curve)
{
    return BandwidthPlot::tr("%n ranks", "%n rank", int(curve.ranks));
}

QList<BandwidthCurve> bandwidthCurves(const std::vector<CollectiveResult> &collectives)
{
    using Groups = std::map<QList<int>, double>;
    std::map<qsizetype, std::map<qint64, Groups>, std::greater<>> found;
    for (const CollectiveResult &result : collectives) {
        if (result.operation == "allreduce sum"_L1 && result.problem.isEmpty() && result.bytes > 0 &&
            result.bandwidthMBs() > 0)
            found[result.ranks.size()][result.bytes][result.ranks] = result.bandwidthMBs();
    }
    QList<BandwidthCurve> curves;
    for (const auto &[ranks, sizes] : found) {
        BandwidthCurve curve{int(ranks), {}};
        for (const auto &[bytes, groups] : sizes) {
            const auto slowest = std::ranges::min_element(groups, {}, &Groups::value_type::second);
            curve.points.append({bytes, slowest->second});
        }
        curves.append(curve);
    }
    return curves;
}

QList<qint64> sizesOf(const QList<BandwidthCurve> &curves)
{
    QList<qint64> sizes;
    for (const BandwidthCurve &curve : curves) {
        for (const BandwidthCurve::Point &point : curve.points)
            sizes.append(point.bytes);
    }
    return sortedOnce(sizes);
}

QString dataSizeText(qint64 bytes)
{
    constexpr qint64 step = 1024;
    constexpr std::array units{"B", "KiB", "MiB", "GiB"};
    std::size_t unit = 0;
    while (bytes > 0 && bytes % step == 0 && unit + 1 < units.size()) {
        bytes /= step;
        ++unit;
    }
    return QLocale(QLocale::English).toString(bytes) + ' '_L1 + QLatin1String(units[unit]);
}

BandwidthPlot::BandwidthPlot()
{
    setObjectName(u"bandwidthPlot"_s);
    setAccessibleName(tr("Bandwidth of an allreduce by data size"));
    setCurves({});
}

void BandwidthPlot::setCurves(const QList<BandwidthCurve> &curves)
{
    const qint64 cursorSize = m_sizes.value(m_cursor, -1);
    m_curves = curves;
    m_sizes = sizesOf(curves);
    // The cursor stays at its size, even if sizes are added.
    m_cursor = int(m_sizes.indexOf(cursorSize));
    scaleAxes();
    describe(words());
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
    const int left = plotMargin + scaleCharacters * cell.width();
    const int top = plotMargin + cell.height() + plotMargin;
    return {left, top, std::max(0, width() - left - plotMargin - nameCharacters * cell.width()),
            std::max(0, height() - top - 2 * plotMargin - cell.height())};
}

QPoint BandwidthPlot::placeOf(const BandwidthCurve::Point &point) const
{
    const QRect area = chart();
    const double fraction = m_sizeAxis.fraction(std::log2(double(point.bytes)));
    return {area.left() + int(std::lround(fraction * (area.width() - 1))),
            plotRow(m_values, point.mbs, area)};
}

/// Returns marks at measured sizes, as many as there is room for.
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
    // Draws everything: it rarely changes, when a collective has ended.
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
    if (m_curves.isEmpty())
        return drawEmpty(canvas, words());
    const QRect whole(QPoint(), canvas.size());
    canvas.fill(whole, look().base());
    const QSize cell = canvas.cellSize();
    const QRect area = chart();
    const QString title = tr("allreduce (sum): MB/s by data size");
    canvas.text({area.left(), plotMargin}, elidedToCells(title, (whole.width() - area.left()) / cell.width()),
                {look().text(), {}, true}, whole);
    const QRect scale(plotMargin, area.top(), area.left() - plotMargin - cell.width(), area.height());
    drawValueScale(canvas, m_values, area, scale, scaleLook());
    const QRect below(area.left(), area.bottom() + 1 + plotMargin, area.width(), cell.height());
    drawScaleBelow(canvas, m_sizeAxis, sizeMarks(), below, scaleLook());
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
        // Column by column, because a canvas fills rectangles only.
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

/// Draws names at the ends of the lines, so that colours need not be compared.
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
            canvas.text({chart().right() + 1 + plotMargin, row},
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
        if (const auto *point = pointAt(curve, size))
            parts << tr("%1 %2 MB/s", "8 ranks; 812").arg(nameOf(curve), wordedNumber(point->mbs));
    }
    return tr("%1: %2", "size; what each number of ranks had")
        .arg(dataSizeText(size), parts.join(listSemicolon()));
}

QString BandwidthPlot::text() const
{
    QStringList header{tr("bytes")};
    for (const BandwidthCurve &curve : m_curves)
        header << tr("%n ranks, MB/s", "%n rank, MB/s", int(curve.ranks));
    QStringList lines{header.join('\t'_L1)};
    for (const qint64 size : m_sizes) {
        QStringList line{QString::number(size)};
        for (const BandwidthCurve &curve : m_curves) {
            const auto *point = pointAt(curve, size);
            line << (point ? QString::number(point->mbs, 'f', 1) : QString());
        }
        lines << line.join('\t'_L1);
    }
    return lines.join('\n'_L1) + '\n'_L1;
}

void BandwidthPlot::setCursor(int to)
{
    if (m_sizes.isEmpty())
        return;
    m_cursor = std::clamp(to, 0, int(m_sizes.size()) - 1);
    describe(words());
    schedule();
}

void BandwidthPlot::moveCursor(CursorMove where, bool)
{
    const int last = int(m_sizes.size()) - 1;
    const int from = m_cursor < 0 ? last : m_cursor;
    setCursor(where == CursorMove::Back    ? from - 1
              : where == CursorMove::On    ? from + 1
              : where == CursorMove::First ? 0
                                           : last);
}

void BandwidthPlot::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        QApplication::clipboard()->setText(text());
    else
        PlotWidget::keyPressEvent(event);
}

void BandwidthPlot::placeCursor(const QPoint &place)
{
    const auto distance = [&](qint64 size) {
        return std::abs(placeOf({size, 0}).x() - place.x());
    };
    const auto nearest = std::ranges::min_element(std::as_const(m_sizes), {}, distance);
    setCursor(int(nearest - m_sizes.cbegin()));
}

} // namespace rankdeck
