#include "devicedetails/deviceplot.h"

#include "plot/timeaxis.h"

#include <QDateTime>

#include <algorithm>
#include <limits>
#include <utility>

namespace rankdeck
{

namespace
{

constexpr double wholePercent = 100;
constexpr double leastOfScale = 0.1; ///< GB, W, MB/s: less is as good as nothing.

std::vector<PlotPoint> pointsOf(const ValueSeries &series, qint64 gap)
{
    std::vector<PlotPoint> points = plotPoints(series);
    for (std::size_t at = 1; at < points.size(); ++at)
        points[at].isAfterGap = points[at].from - points[at - 1].to > gap;
    return points;
}

QString valueText(SampleQuantity quantity, float value)
{
    switch (quantity) {
    case SampleQuantity::AiCore:
        return DevicePlot::tr("AI %1%").arg(double(value), 0, 'f', 0);
    case SampleQuantity::Npu:
        return DevicePlot::tr("NPU %1%").arg(double(value), 0, 'f', 0);
    case SampleQuantity::Hbm:
        return DevicePlot::tr("HBM %1 GB").arg(double(value), 0, 'f', 1);
    case SampleQuantity::Ddr:
        return DevicePlot::tr("DDR %1 GB").arg(double(value), 0, 'f', 1);
    case SampleQuantity::Temperature:
        return DevicePlot::tr("%1 °C").arg(double(value), 0, 'f', 0);
    case SampleQuantity::Power:
        return DevicePlot::tr("%1 W").arg(double(value), 0, 'f', 0);
    case SampleQuantity::Clock:
        return DevicePlot::tr("%1 MHz").arg(double(value), 0, 'f', 0);
    case SampleQuantity::Cpu:
        return DevicePlot::tr("CPU %1%").arg(double(value), 0, 'f', 0);
    case SampleQuantity::Resident:
        return DevicePlot::tr("memory %1 GB").arg(double(value), 0, 'f', 2);
    case SampleQuantity::Read:
        return DevicePlot::tr("read %1 MB/s").arg(double(value), 0, 'f', 1);
    case SampleQuantity::Written:
        return DevicePlot::tr("written %1 MB/s").arg(double(value), 0, 'f', 1);
    }
    return {};
}

} // namespace

QString DevicePlot::title(SampleQuantity quantity)
{
    switch (quantity) {
    case SampleQuantity::AiCore:
        return tr("AICore (%)");
    case SampleQuantity::Npu:
        return tr("NPU (%)");
    case SampleQuantity::Hbm:
        return tr("HBM (GB)");
    case SampleQuantity::Ddr:
        return tr("DDR (GB)");
    case SampleQuantity::Temperature:
        return tr("temperature (°C)");
    case SampleQuantity::Power:
        return tr("power (W)");
    case SampleQuantity::Clock:
        return tr("clock (MHz)");
    case SampleQuantity::Cpu:
        return tr("CPU (% of a core)");
    case SampleQuantity::Resident:
        return tr("memory (GB)");
    case SampleQuantity::Read:
        return tr("read (MB/s)");
    case SampleQuantity::Written:
        return tr("written (MB/s)");
    }
    return {};
}

DevicePlot::DevicePlot(QWidget *parent)
    : CurvePlot(parent)
{
    setObjectName(QStringLiteral("devicePlot"));
    setAccessibleName(tr("NPUs and processes over time"));
    refresh();
}

void DevicePlot::setCurves(std::shared_ptr<const LaunchPlan> plan, const SampleCurves &curves)
{
    m_plan = std::move(plan);
    m_curves = curves;
    m_quantities.clear();
    for (std::size_t at = 0; at < sampleQuantities; ++at) {
        const auto quantity = static_cast<SampleQuantity>(at);
        if (std::any_of(curves.curves.begin(), curves.curves.end(),
                        [&](const SampleCurves::Curve &curve) { return !curve.of(quantity).isEmpty(); }))
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

QList<SampleQuantity> DevicePlot::wantedQuantities() const
{
    return m_only && m_quantities.contains(*m_only) ? QList<SampleQuantity>{*m_only} : m_quantities;
}

void DevicePlot::setFirstRow(int row)
{
    m_firstRow = row;
    refresh();
}

void DevicePlot::resizeEvent(QResizeEvent *event)
{
    CurvePlot::resizeEvent(event);
    const QList<SampleQuantity> before = m_seen;
    layOut();
    if (!std::equal(m_seen.begin(), m_seen.end(), before.begin(), before.end()))
        refresh();
}

/// What of the wanted ones is seen.
void DevicePlot::layOut()
{
    const QList<SampleQuantity> wanted = wantedQuantities();
    const int all = static_cast<int>(wanted.size());
    const QSize cell = canvas().cellSize();
    const int columns = PlotGeometry::columnsFor(size(), cell, all);
    const int rows = (all + columns - 1) / columns;
    const int shown = std::min(rows, PlotGeometry::rowsFor(height(), cell));
    m_firstRow = std::clamp(m_firstRow, 0, rows - shown);
    // The last row is as full as the others.
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
        const ProcessPlan &process = m_plan->processes.at(static_cast<std::size_t>(curve.process));
        if (process.role == Role::Worker)
            names.append({tr("rank %1").arg(process.rank.value), QString::number(process.rank.value)});
        else
            names.append({tr("scheduler"), tr("sch.")});
    }
    layOut();
    QList<PlotChart> charts;
    for (const SampleQuantity quantity : std::as_const(m_seen)) {
        PlotChart chart{title(quantity), {}, {}, {}};
        // How hot it is and how fast its clock goes is not told from 0.
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

QImage DevicePlot::picture() const
{
    if (m_shownRows == m_rows)
        return CurvePlot::picture();
    DevicePlot whole;
    whole.setPalette(palette());
    whole.resize(width(), PlotGeometry::heightFor(m_rows, canvas().cellSize()));
    whole.setOnly(m_only);
    whole.setEmphasized(emphasized());
    whole.setCurves(m_plan, m_curves);
    return whole.CurvePlot::picture();
}

PlotAxis DevicePlot::axisFor(qint64 first, qint64 last, int marks) const
{
    return timeAxis(first, last, marks);
}

QString DevicePlot::markAlong(const PlotAxis &along, double mark) const
{
    return timeMarkText(along, mark);
}

QString DevicePlot::readout() const
{
    if (isEmpty())
        return {};
    const qint64 time = cursor().value_or(std::numeric_limits<qint64>::max());
    QStringList parts;
    for (qsizetype name = 0; name < names().size(); ++name) {
        QStringList values;
        for (qsizetype chart = 0; chart < m_seen.size(); ++chart) {
            const PlotPoint *const point =
                pointAt(charts().at(chart).curves.at(static_cast<std::size_t>(name)), time);
            // What was long before says nothing of then.
            if (point && point->hasValue && (!cursor() || time - point->to <= m_curves.gap))
                values << valueText(m_seen.at(chart), point->last);
        }
        if (values.isEmpty())
            continue;
        const QString words =
            tr("%1: %2", "rank 3: its values").arg(names().at(name).name, values.join(QStringLiteral(", ")));
        // Not all may have room.
        parts.insert(name == emphasized() ? 0 : parts.size(), words);
    }
    if (!cursor())
        return tr("last: %1").arg(parts.join(QStringLiteral("; ")));
    const QString at = QDateTime::fromMSecsSinceEpoch(time).toString(QStringLiteral("MM-dd HH:mm:ss"));
    return parts.isEmpty() ? tr("%1: nobody looked then").arg(at)
                           : tr("%1: %2", "time: what ranks had").arg(at, parts.join(QStringLiteral("; ")));
}

} // namespace rankdeck
