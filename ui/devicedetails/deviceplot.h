#pragma once

#include "launch/launchplan.h"
#include "plot/curveplot.h"
#include "run/samples/samplecurves.h"

#include <memory>

namespace rankdeck
{

/// What NPUs and process trees of some ranks were like over the time of a run, a chart for each quantity that
/// one of them has.
class DevicePlot : public CurvePlot
{
    Q_OBJECT

public:
    explicit DevicePlot(QWidget *parent = nullptr);

    /// @param plan whose processes the curves are of.
    void setCurves(std::shared_ptr<const LaunchPlan> plan, const SampleCurves &curves);
    /// Show this one alone; nothing: all there are.
    void setOnly(std::optional<SampleQuantity> quantity);
    /// Those that some rank has, in their order.
    const QList<SampleQuantity> &quantities() const { return m_quantities; }
    static QString title(SampleQuantity quantity);
    /// What stands there while there is nothing to plot.
    void setEmptyText(const QString &text);

    QString readout() const override;

protected:
    PlotAxis axisFor(qint64 first, qint64 last, int marks) const override;
    QString markAlong(const PlotAxis &along, double mark) const override;
    QString emptyText() const override { return m_emptyText; }
    bool mayStandBeside() const override { return true; }

private:
    void refresh();
    QList<SampleQuantity> shownQuantities() const;

    std::shared_ptr<const LaunchPlan> m_plan;
    SampleCurves m_curves;
    QList<SampleQuantity> m_quantities;
    std::optional<SampleQuantity> m_only;
    QString m_emptyText;
};

} // namespace rankdeck
