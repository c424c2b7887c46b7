#pragma once

#include "diagnosis/progress/rankprogress.h"
#include "plot/curveplot.h"
#include "widgets/widgetparts.h"

namespace rankdeck
{

/// The curves of a rank.
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
    PlotAxis axisFor(qint64, qint64 last, int marks) const override { return stepAxis(last, marks); }
    QString markAlong(const PlotAxis &along, double mark) const override { return markText(along, mark); }
    QString emptyText() const override;
    qint64 firstPlace() const override { return 0; }

private:
    QList<PlotCurve> m_curves;
};

/// The plot of the chosen ranks' progress, with buttons to save it.
class ProgressPane : public QWidget
{
    Q_OBJECT

public:
    explicit ProgressPane(QWidget *parent = nullptr);

    ProgressPlot *plot() const { return m_plot; }
    /// @param plan whose processes the curves are of.
    void setCurves(std::shared_ptr<const LaunchPlan> plan, const ProgressCurves &curves);
    void clear() { setCurves(nullptr, {}); }

    /// Write the shown values or curves to a file, whole or not at all; errors are shown in a box.
    void saveCsv(const QString &path);
    void savePicture(const QString &path);

private:
    ProgressPlot *m_plot;
    QPushButton *m_csv;
    QPushButton *m_picture;
    std::shared_ptr<const LaunchPlan> m_plan;
    ProgressCurves m_curves;
};

} // namespace rankdeck
