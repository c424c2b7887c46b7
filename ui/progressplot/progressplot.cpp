#include "progressplot/progressplot.h"

#include "diagnosis/progress/progresswords.h"

#include <limits>

namespace rankdeck
{

namespace
{

constexpr int lossChart = 0;
constexpr int timeChart = 1;
constexpr float msPerSecond = 1000;

QString lossWords(float loss)
{
    return lossText(double(loss));
}

QString secondsWords(float seconds)
{
    return stepTimeText(double(seconds * msPerSecond));
}

QString rangeText(const PlotPoint &point, QString (*words)(float))
{
    if (!point.hasValue)
        return ProgressPlot::tr("no number");
    const QString last = words(point.last);
    if (words(point.least) == words(point.most))
        return last;
    return ProgressPlot::tr("%1 (%2 to %3)").arg(last, words(point.least), words(point.most));
}

} // namespace

ProgressPlot::ProgressPlot(QWidget *parent)
    : CurvePlot(parent)
{
    setObjectName(QStringLiteral("progressPlot"));
    setAccessibleName(tr("Loss and step time against the step"));
    setCurves({});
}

void ProgressPlot::setCurves(const QList<PlotCurve> &curves)
{
    m_curves = curves;
    QList<PlotName> names;
    PlotChart loss{tr("loss"), {}, {}, {}};
    // A duration is long or short from 0 on.
    PlotChart time{tr("step time (s)"), {}, 0, {}};
    for (const PlotCurve &curve : curves) {
        names.append({tr("rank %1").arg(curve.rank), QString::number(curve.rank)});
        loss.curves.push_back(plotPoints(curve.loss));
        time.curves.push_back(plotPoints(curve.stepTime, double(msPerSecond)));
    }
    setContents(names, {loss, time});
}

PlotAxis ProgressPlot::axisFor(qint64, qint64 last, int marks) const
{
    return stepAxis(last, marks);
}

QString ProgressPlot::markAlong(const PlotAxis &along, double mark) const
{
    return markText(along, mark);
}

QString ProgressPlot::emptyText() const
{
    return m_curves.isEmpty() ? tr("No rank is chosen.")
                              : tr("No rank that is chosen has printed a loss or a step time.");
}

QString ProgressPlot::readout() const
{
    if (isEmpty())
        return {};
    const qint64 step = cursor().value_or(std::numeric_limits<qint64>::max());
    QStringList parts;
    for (qsizetype curve = 0; curve < m_curves.size(); ++curve) {
        QStringList values;
        const auto at = static_cast<std::size_t>(curve);
        if (const PlotPoint *loss = pointAt(charts().at(lossChart).curves[at], step))
            values << tr("loss %1").arg(rangeText(*loss, lossWords));
        if (const PlotPoint *time = pointAt(charts().at(timeChart).curves[at], step))
            values << rangeText(*time, secondsWords);
        if (!values.isEmpty())
            parts << tr("rank %1: %2").arg(m_curves.at(curve).rank).arg(values.join(QStringLiteral(", ")));
    }
    const QString what = parts.join(QStringLiteral("; "));
    return cursor() ? tr("step %1: %2").arg(countText(*cursor()), what) : tr("last: %1").arg(what);
}

} // namespace rankdeck
