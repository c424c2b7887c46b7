#include "devicedetails/deviceplot.h"

#include "launch/plan/launchplan.h"
#include "widgets/widgetparts.h"

#include <QScrollBar>

namespace rankdeck
{

constexpr double wholePercent = 100;
constexpr double leastOfScale = 0.1; ///< GB, W, MB/s: less is negligible.

static std::vector<PlotPoint> pointsOf(const ValueSeries &series, qint64 gap)
{
    std::vector<PlotPoint> points = plotPoints(series);
    for (std::size_t at = 1; at < points.size(); ++at)
        points[at].isAfterGap = points[at].from - points[at - 1].to > gap;
    return points;
}

const DevicePlot::Words &DevicePlot::wordsOf(SampleQuantity quantity)
{
    static constexpr std::array<Words, sampleQuantities> words{{
        {QT_TR_NOOP("AI %1%"), 0},
        {QT_TR_NOOP("NPU %1%"), 0},
        {QT_TR_NOOP("HBM %1 GB"), 1},
        {QT_TR_NOOP("DDR %1 GB"), 1},
        {QT_TR_NOOP("%1 °C"), 0},
        {QT_TR_NOOP("%1 W"), 0},
        {QT_TR_NOOP("%1 MHz"), 0},
        {QT_TR_NOOP("CPU %1%"), 0},
        {QT_TR_NOOP("memory %1 GB"), 2},
        {QT_TR_NOOP("read %1 MB/s"), 1},
        {QT_TR_NOOP("written %1 MB/s"), 1},
    }};
    return words.at(std::size_t(quantity));
}

DevicePlot::DevicePlot(QWidget *parent)
    : CurvePlot(parent)
{
    named(this, "devicePlot", tr("NPUs and processes over time"));
    refresh();
}

void DevicePlot::setCurves(std::shared_ptr<const LaunchPlan> plan, const SampleCurves &curves)
{
    m_plan = std::move(plan);
    m_curves = curves;
    m_quantities.clear();
    for (std::size_t at = 0; at < sampleQuantities; ++at) {
        const auto quantity = static_cast<SampleQuantity>(at);
        const auto has = [quantity](const SampleCurves::Curve &curve) {
            return !curve.of(quantity).isEmpty();
        };
        if (std::ranges::any_of(curves.curves, has))
            m_quantities << quantity;
    }
    refresh();
}

void DevicePlot::setOnly(std::optional<SampleQuantity> quantity)
{
    m_only = quantity;
    refresh();
}

void DevicePlot::setEmptyText(const QString &text)
{
    if (text == m_emptyText)
        return;
    m_emptyText = text;
    if (isEmpty())
        refresh();
}

void DevicePlot::resizeEvent(QResizeEvent *event)
{
    CurvePlot::resizeEvent(event);
    const QList<SampleQuantity> before = m_seen;
    layOut();
    if (!std::ranges::equal(m_seen, before))
        refresh();
}

/// Decides which of the wanted quantities fit.
void DevicePlot::layOut()
{
    const QList<SampleQuantity> wanted = wantedQuantities();
    const int all = int(wanted.size());
    const QSize cell = canvas().cellSize();
    const int columns = PlotGeometry::columnsFor(size(), cell, all);
    const int rows = (all + columns - 1) / columns;
    const int shown = std::min(rows, PlotGeometry::rowsFor(height(), cell));
    m_firstRow = std::clamp(m_firstRow, 0, rows - shown);
    // The last row is full as well.
    const int count = std::min(all, shown * columns);
    m_seen = wanted.mid(std::min(m_firstRow * columns, all - count), count);
    const bool areOther = rows != m_rows || shown != m_shownRows;
    m_rows = rows;
    m_shownRows = shown;
    if (areOther)
        Q_EMIT rowsChanged();
}

void DevicePlot::refresh()
{
    QList<PlotName> names;
    for (const SampleCurves::Curve &curve : std::as_const(m_curves.curves)) {
        const ProcessPlan &process = m_plan->processes.at(std::size_t(curve.process));
        names << (process.role == Role::Worker
                      ? PlotName{tr("rank %1").arg(process.rank.value), QString::number(process.rank.value)}
                      : PlotName{tr("scheduler"), tr("sch.")});
    }
    layOut();
    QList<PlotChart> charts;
    for (const SampleQuantity quantity : std::as_const(m_seen)) {
        PlotChart chart{m_curves.title(quantity), {}, {}, {}};
        // Temperature and clock are read against their range, not against 0.
        if (quantity != SampleQuantity::Temperature && quantity != SampleQuantity::Clock) {
            chart.least = 0;
            chart.most = leastOfScale;
        }
        if (quantity == SampleQuantity::AiCore || quantity == SampleQuantity::Npu)
            chart.most = wholePercent;
        for (const SampleCurves::Curve &curve : std::as_const(m_curves.curves))
            chart.curves.push_back(pointsOf(curve.of(quantity), m_curves.gap));
        charts << chart;
    }
    setContents(names, charts);
}

std::unique_ptr<CurvePlot> DevicePlot::whole() const
{
    if (m_shownRows == m_rows)
        return nullptr;
    auto all = std::make_unique<DevicePlot>();
    all->setPalette(palette());
    all->resize(width(), PlotGeometry::heightFor(m_rows, canvas().cellSize()));
    all->setOnly(m_only);
    all->setEmphasized(emphasized());
    all->setCurves(m_plan, m_curves);
    return all;
}

QString DevicePlot::readoutAt(std::optional<qint64> place, const QString &separator) const
{
    if (isEmpty())
        return {};
    const qint64 time = place.value_or(std::numeric_limits<qint64>::max());
    QStringList parts;
    for (qsizetype name = 0; name < names().size(); ++name) {
        QStringList values;
        for (qsizetype chart = 0; chart < m_seen.size(); ++chart) {
            const PlotPoint *const point = pointAt(charts().at(chart).curves.at(std::size_t(name)), time);
            const Words &its = wordsOf(m_seen.at(chart));
            // A value long before the cursor does not describe the cursor's time.
            if (point && point->hasValue && (!place || time - point->to <= m_curves.gap))
                values << tr(its.value).arg(double(point->last), 0, 'f', its.decimals);
        }
        if (values.isEmpty())
            continue;
        const QString words =
            tr("%1: %2", "rank 3: its values").arg(names().at(name).name, values.join(listComma()));
        // The emphasized one comes first, because not all may fit.
        parts.insert(name == emphasized() ? 0 : parts.size(), words);
    }
    if (!place)
        return tr("last: %1").arg(parts.join(separator));
    const QString at = QDateTime::fromMSecsSinceEpoch(time).toString(u"MM-dd HH:mm:ss"_s);
    return parts.isEmpty() ? tr("%1: not sampled").arg(at)
                           : tr("%1: %2", "time: what ranks had").arg(at, parts.join(separator));
}

DevicePlotPane::DevicePlotPane(DevicePlot *plot)
    : m_plot(plot)
    , m_bar(new QScrollBar(Qt::Vertical, this))
{
    m_bar->setObjectName(u"devicePlotBar"_s);
    m_bar->setFocusPolicy(Qt::NoFocus);
    addParts(withoutMargins(new QHBoxLayout(this), 0), {{m_plot, 1}, m_bar});
    connect(m_plot, &DevicePlot::rowsChanged, this, &DevicePlotPane::fit);
    connect(m_bar, &QScrollBar::valueChanged, m_plot, &DevicePlot::setFirstRow);
    fit();
}

void DevicePlotPane::fit()
{
    m_bar->setRange(0, m_plot->rows() - m_plot->shownRows());
    m_bar->setPageStep(m_plot->shownRows());
    m_bar->setVisible(m_bar->maximum() > 0);
}

void DevicePlotPane::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_PageUp)
        m_bar->triggerAction(QScrollBar::SliderPageStepSub);
    else if (event->key() == Qt::Key_PageDown)
        m_bar->triggerAction(QScrollBar::SliderPageStepAdd);
    else
        QWidget::keyPressEvent(event);
}

void DevicePlotPane::wheelEvent(QWheelEvent *event)
{
    QCoreApplication::sendEvent(m_bar, event);
}

} // namespace rankdeck
