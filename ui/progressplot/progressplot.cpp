#include "progressplot/progressplot.h"

#include "canvas/cellwidth.h"
#include "canvas/rastercanvas.h"
#include "diagnosis/progress/progresswords.h"
#include "log/ansidecoder.h"
#include "log/ranklabel.h"
#include "plot/plotscale.h"
#include "plot/spreadrows.h"
#include "state/tone.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rankdeck
{

namespace
{

constexpr int lineWidth = 2; // pixels
constexpr int oddHeight = 6; ///< Of the mark for what is no number, at the top.
constexpr int tenth = 10;
constexpr double msPerSecond = 1000;

/// Of the bucket that a step is in, or the last before it with a value.
const ProgressSeries::Bucket *bucketAt(const ProgressSeries &series, qint64 step)
{
    if (series.isEmpty() || step < series.stepOf(0))
        return nullptr;
    auto at =
        static_cast<int>(std::min<qint64>((step - series.stepOf(0)) / series.width(), series.size() - 1));
    while (at > 0 && series.at(at).isEmpty())
        --at;
    return series.at(at).isEmpty() ? nullptr : &series.at(at);
}

QString rangeText(const ProgressSeries::Bucket &bucket, QString (*words)(double))
{
    if (bucket.count == 0)
        return ProgressPlot::tr("no number");
    const QString last = words(double(bucket.last));
    if (words(double(bucket.least)) == words(double(bucket.most)))
        return last;
    return ProgressPlot::tr("%1 (%2 to %3)")
        .arg(last, words(double(bucket.least)), words(double(bucket.most)));
}

qint64 lastStep(const ProgressSeries &series)
{
    return series.isEmpty() ? 0 : series.stepOf(series.size()) - 1;
}

} // namespace

ProgressPlot::ProgressPlot(QWidget *parent)
    : CanvasWidget(parent)
    , m_palette(palette())
{
    setObjectName(QStringLiteral("progressPlot"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Loss and step time against the step"));
    setCurves({});
}

void ProgressPlot::setCurves(const QList<PlotCurve> &curves)
{
    m_curves = curves;
    scaleAxes();
    describe();
    schedule();
}

bool ProgressPlot::isEmpty() const
{
    return std::all_of(m_curves.begin(), m_curves.end(), [](const PlotCurve &curve) {
        return curve.loss.isEmpty() && curve.stepTime.isEmpty();
    });
}

const ProgressSeries &ProgressPlot::series(const PlotCurve &curve, int chart) const
{
    return chart == 0 ? curve.loss : curve.stepTime;
}

void ProgressPlot::scaleAxes()
{
    const PlotGeometry parts = geometryOfParts();
    qint64 last = 0;
    for (int chart = 0; chart < charts; ++chart) {
        float least = std::numeric_limits<float>::max();
        float most = std::numeric_limits<float>::lowest();
        for (const PlotCurve &curve : std::as_const(m_curves)) {
            const ProgressSeries &values = series(curve, chart);
            last = std::max(last, lastStep(values));
            for (int at = 0; at < values.size(); ++at) {
                if (values.at(at).count == 0)
                    continue;
                least = std::min(least, values.at(at).least);
                most = std::max(most, values.at(at).most);
            }
        }
        // A duration is long or short from 0 on.
        if (chart == 1)
            least = 0;
        const double unit = chart == 1 ? msPerSecond : 1;
        auto &axis = m_values[static_cast<std::size_t>(chart)];
        axis = least <= most ? plotAxis(double(least) / unit, double(most) / unit, parts.valueMarks())
                             : plotAxis(0, 1, 2);
    }
    m_steps = stepAxis(last, parts.stepMarks());
}

QColor ProgressPlot::colorOf(const PlotCurve &curve) const
{
    const QByteArray look = "\x1b[" + rankColor(curve.color).toByteArray() + "mx";
    return m_palette.foreground(AnsiDecoder().decode(look).first().style, m_palette.base());
}

PlotScaleLook ProgressPlot::scaleLook() const
{
    return {palette().color(QPalette::AlternateBase), m_palette.muted()};
}

ProgressPlot::Drawn ProgressPlot::wanted(const PlotGeometry &parts, bool withCursor) const
{
    Drawn now;
    now.steps = m_steps;
    now.values = m_values;
    now.curves = static_cast<int>(m_curves.size());
    for (int chart = 0; chart < charts; ++chart) {
        const QRect area = parts.chart(chart);
        auto &columns = now.columns[static_cast<std::size_t>(chart)];
        columns.assign(static_cast<std::size_t>(std::max(0, area.width())), Column());
        PlotAxis values = m_values[static_cast<std::size_t>(chart)];
        if (chart == 1) {
            values.least *= msPerSecond;
            values.most *= msPerSecond;
        }
        for (const PlotCurve &curve : m_curves) {
            const auto spans = plotSpans(series(curve, chart), m_steps, values, area);
            for (std::size_t x = 0; x < spans.size(); ++x)
                columns[x].push_back(spans[x]);
        }
        QString &numbers = now.numbers[static_cast<std::size_t>(chart)];
        for (const int row : rowsOfNumbers(parts, chart))
            numbers += QString::number(row) + QLatin1Char(' ');
    }
    if (withCursor && m_cursor && !isEmpty() && parts.chart(0).width() > 0)
        now.cursor = plotColumn(m_steps, *m_cursor, parts.chart(0).width());
    now.readout = withCursor && hasFocus() ? readout() : QString();
    return now;
}

void ProgressPlot::drawCanvas(Canvas &canvas, bool everything)
{
    const PlotGeometry parts = geometryOfParts();
    Drawn now = wanted(parts, true);
    draw(canvas, parts, now, everything || !m_drawn ? nullptr : &*m_drawn);
    m_drawn = std::move(now);
}

void ProgressPlot::draw(Canvas &canvas, const PlotGeometry &parts, const Drawn &now,
                        const Drawn *before) const
{
    const bool isAnew = !before || before->steps != now.steps || before->values != now.values ||
                        before->curves != now.curves || isEmpty();
    if (isAnew)
        drawFrame(canvas, parts, now);
    if (isEmpty())
        return;
    for (int chart = 0; chart < charts; ++chart) {
        const auto at = static_cast<std::size_t>(chart);
        const QRect area = parts.chart(chart);
        for (int x = 0; x < area.width(); ++x) {
            const auto column = static_cast<std::size_t>(x);
            const bool isCursor = x == now.cursor || (before && x == before->cursor);
            const bool isOther = isAnew || now.columns[at][column] != before->columns[at][column] ||
                                 (isCursor && before->cursor != now.cursor);
            if (isOther)
                drawColumn(canvas, area, chart, x, now, isAnew);
        }
        if (isAnew || before->numbers[at] != now.numbers[at])
            drawNumbers(canvas, parts, chart);
    }
    if (isAnew || before->readout != now.readout) {
        const QRect area = parts.readout();
        canvas.fill(area, m_palette.base());
        const int cells = area.width() / canvas.cellSize().width();
        const bool isCut = cellWidth(now.readout) > cells;
        const QString text =
            isCut ? now.readout.left(std::max(0, cells - 1)) + QStringLiteral("…") : now.readout;
        canvas.text(area.topLeft(), text, {m_palette.text(), {}}, area);
    }
}

void ProgressPlot::drawFrame(Canvas &canvas, const PlotGeometry &parts, const Drawn &now) const
{
    canvas.fill(QRect(QPoint(), canvas.size()), m_palette.base());
    if (isEmpty()) {
        const QString text = m_curves.isEmpty()
                                 ? tr("No rank is chosen.")
                                 : tr("No rank that is chosen has printed a loss or a step time.");
        const QSize cell = canvas.cellSize();
        const QPoint at(std::max(0, (canvas.size().width() - cellWidth(text) * cell.width()) / 2),
                        (canvas.size().height() - cell.height()) / 2);
        canvas.text(at, text, {m_palette.muted(), {}}, QRect(QPoint(), canvas.size()));
        return;
    }
    drawLegend(canvas, parts);
    drawScales(canvas, parts, now);
}

void ProgressPlot::drawLegend(Canvas &canvas, const PlotGeometry &parts) const
{
    const QRect area = parts.legend();
    QPoint at = area.topLeft();
    for (const PlotCurve &curve : m_curves) {
        const QString text = QStringLiteral("\u25a0 ") + tr("rank %1").arg(curve.rank);
        const int width = (cellWidth(text) + 2) * canvas.cellSize().width();
        if (at.x() + width > area.right()) {
            canvas.text(at, QStringLiteral("…"), {m_palette.muted(), {}}, area);
            break;
        }
        canvas.text(at, text, {colorOf(curve), {}}, area);
        at.rx() += width;
    }
}

void ProgressPlot::drawScales(Canvas &canvas, const PlotGeometry &parts, const Drawn &now) const
{
    const std::array titles{tr("loss"), tr("step time (s)")};
    for (int chart = 0; chart < charts; ++chart) {
        const auto at = static_cast<std::size_t>(chart);
        const QRect area = parts.chart(chart);
        canvas.text(parts.title(chart).topLeft(), titles[at], {m_palette.text(), {}, true},
                    parts.title(chart));
        drawValueScale(canvas, now.values[at], area, parts.scale(chart), scaleLook());
    }
    QList<PlotMark> marks;
    for (const double mark : now.steps.marks)
        marks.append({mark, markText(now.steps, mark)});
    drawScaleBelow(canvas, now.steps, marks, parts.stepScale(), scaleLook());
}

void ProgressPlot::drawColumn(Canvas &canvas, const QRect &area, int chart, int x, const Drawn &now,
                              bool isAnew) const
{
    const auto at = static_cast<std::size_t>(chart);
    const int left = area.left() + x;
    if (!isAnew) {
        canvas.fill(QRect(left, area.top(), 1, area.height()), m_palette.base());
        for (const double mark : now.values[at].marks)
            canvas.fill(QRect(left, plotRow(now.values[at], mark, area), 1, 1), scaleLook().line);
    }
    if (x == now.cursor)
        canvas.fill(QRect(left, area.top(), 1, area.height()), m_palette.muted());
    const Column &column = now.columns[at][static_cast<std::size_t>(x)];
    for (std::size_t curve = 0; curve < column.size(); ++curve) {
        const PlotSpan &span = column[curve];
        if (!span.isEmpty()) {
            const QRect line(left, span.top, 1, std::max(lineWidth, span.bottom + 1 - span.top));
            canvas.fill(line.intersected(area), colorOf(m_curves.at(qsizetype(curve))));
        }
        if (span.isOdd)
            canvas.fill(QRect(left, area.top(), 1, oddHeight), toneColor(Tone::Bad, palette()));
    }
}

/// Where the numbers of the ranks stand, by curve; noRow: there is none.
std::vector<int> ProgressPlot::rowsOfNumbers(const PlotGeometry &parts, int chart) const
{
    const QRect area = parts.chart(chart);
    const int height = canvas().cellSize().height();
    const double unit = chart == 1 ? msPerSecond : 1;
    std::vector<int> rows;
    for (const PlotCurve &curve : m_curves) {
        const ProgressSeries::Bucket *last =
            bucketAt(series(curve, chart), std::numeric_limits<qint64>::max());
        if (!last || last->count == 0) {
            rows.push_back(noRow);
            continue;
        }
        const double fraction = m_values[static_cast<std::size_t>(chart)].fraction(double(last->last) / unit);
        rows.push_back(area.bottom() - static_cast<int>(fraction * area.height()) - height / 2);
    }
    return spreadRows(rows, area.top(), area.bottom() + 1, height);
}

void ProgressPlot::drawNumbers(Canvas &canvas, const PlotGeometry &parts, int chart) const
{
    const QRect area = parts.numbers(chart);
    canvas.fill(area, m_palette.base());
    const std::vector<int> rows = rowsOfNumbers(parts, chart);
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const PlotCurve &curve = m_curves.at(qsizetype(at));
        if (rows[at] != noRow)
            canvas.text({area.left(), rows[at]}, QString::number(curve.rank), {colorOf(curve), {}, true},
                        area);
    }
}

QString ProgressPlot::readout() const
{
    if (isEmpty())
        return {};
    const qint64 step = m_cursor.value_or(std::numeric_limits<qint64>::max());
    QStringList parts;
    for (const PlotCurve &curve : m_curves) {
        QStringList values;
        if (const auto *loss = bucketAt(curve.loss, step))
            values << tr("loss %1").arg(rangeText(*loss, lossText));
        if (const auto *time = bucketAt(curve.stepTime, step))
            values << rangeText(*time, stepTimeText);
        if (!values.isEmpty())
            parts << tr("rank %1: %2").arg(curve.rank).arg(values.join(QStringLiteral(", ")));
    }
    const QString what = parts.join(QStringLiteral("; "));
    return m_cursor ? tr("step %1: %2").arg(countText(*m_cursor), what) : tr("last: %1").arg(what);
}

QImage ProgressPlot::picture() const
{
    RasterCanvas canvas;
    canvas.reset(size(), font(), 1);
    const PlotGeometry parts(size(), canvas.cellSize());
    draw(canvas, parts, wanted(parts, false), nullptr);
    return canvas.image();
}

QSize ProgressPlot::sizeHint() const
{
    const QSize cell = canvas().cellSize();
    return {80 * cell.width(), 24 * cell.height()};
}

QSize ProgressPlot::minimumSizeHint() const
{
    const QSize cell = canvas().cellSize();
    return {30 * cell.width(), 8 * cell.height()};
}

void ProgressPlot::changeEvent(QEvent *event)
{
    CanvasWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_palette = LogPalette(palette());
}

void ProgressPlot::resizeEvent(QResizeEvent *event)
{
    CanvasWidget::resizeEvent(event);
    scaleAxes();
}

qint64 ProgressPlot::lastStepShown() const
{
    qint64 last = 0;
    for (const PlotCurve &curve : m_curves)
        last = std::max({last, lastStep(curve.loss), lastStep(curve.stepTime)});
    return last;
}

void ProgressPlot::moveCursor(qint64 step)
{
    m_cursor = std::clamp<qint64>(step, 0, lastStepShown());
    describe();
    schedule();
}

void ProgressPlot::keyPressEvent(QKeyEvent *event)
{
    const int width = std::max(1, geometryOfParts().chart(0).width());
    const qint64 last = lastStepShown();
    const auto all = static_cast<qint64>(m_steps.most);
    const qint64 one = std::max<qint64>(1, all / width);
    const qint64 distance =
        event->modifiers().testFlag(Qt::ControlModifier) ? std::max(one, last / tenth) : one;
    switch (event->key()) {
    case Qt::Key_Left:
        moveCursor(m_cursor.value_or(last) - distance);
        return;
    case Qt::Key_Right:
        moveCursor(std::min(last, m_cursor.value_or(-distance) + distance));
        return;
    case Qt::Key_Home:
        moveCursor(0);
        return;
    case Qt::Key_End:
        moveCursor(last);
        return;
    default:
        CanvasWidget::keyPressEvent(event);
    }
}

void ProgressPlot::mousePressEvent(QMouseEvent *event)
{
    const QRect area = geometryOfParts().chart(0);
    if (event->button() != Qt::LeftButton || area.width() <= 0) {
        event->ignore();
        return;
    }
    moveCursor(
        plotStep(m_steps, std::clamp(event->pos().x() - area.left(), 0, area.width() - 1), area.width()));
}

void ProgressPlot::describe()
{
    setAccessibleDescription(isEmpty() ? tr("No rank that is chosen has printed a loss or a step time.")
                                       : readout());
}

} // namespace rankdeck
