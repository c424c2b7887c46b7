#pragma once

#include "plot/curveplot.h"
#include "valueseries.h"

namespace rankdeck
{

/// A rank in a plot.
struct PlotCurve {
    int rank = 0;
    ValueSeries loss;
    ValueSeries stepTime; ///< ms

    bool operator==(const PlotCurve &) const = default;
};

/// Loss and step time of some ranks against the step.
class ProgressPlot : public CurvePlot
{
    Q_OBJECT

public:
    explicit ProgressPlot(QWidget *parent = nullptr);

    void setCurves(const QList<PlotCurve> &curves);
    const QList<PlotCurve> &curves() const { return m_curves; }
    QString readout() const override;

protected:
    PlotAxis axisFor(qint64 first, qint64 last, int marks) const override;
    QString markAlong(const PlotAxis &along, double mark) const override;
    QString emptyText() const override;
    qint64 firstPlace() const override { return 0; }

private:
    QList<PlotCurve> m_curves;
};

} // namespace rankdeck
