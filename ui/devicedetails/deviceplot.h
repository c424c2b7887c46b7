#pragma once

#include "launch/launchplan.h"
#include "plot/curveplot.h"
#include "run/samples/samplecurves.h"

#include <memory>

namespace rankdeck
{

/// What NPUs and process trees of some ranks were like over the time of a run, a chart for each quantity that
/// one of them has: as many of these as there is room for, row by row.
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

    /// Rows of charts: all there are, those that there is room for, and which one is the first of these.
    int rows() const { return m_rows; }
    int shownRows() const { return m_shownRows; }
    int firstRow() const { return m_firstRow; }
    void setFirstRow(int row);

    /// Of the charts that are seen.
    QString readout() const override;
    /// Of all charts.
    QImage picture() const override;

Q_SIGNALS:
    /// There are more rows or fewer, or more room or less.
    void rowsChanged();

protected:
    PlotAxis axisFor(qint64 first, qint64 last, int marks) const override;
    QString markAlong(const PlotAxis &along, double mark) const override;
    QString emptyText() const override { return m_emptyText; }
    bool mayStandBeside() const override { return true; }
    void resizeEvent(QResizeEvent *event) override;

private:
    QList<SampleQuantity> wantedQuantities() const;
    void layOut();
    void refresh();

    std::shared_ptr<const LaunchPlan> m_plan;
    SampleCurves m_curves;
    QList<SampleQuantity> m_quantities;
    std::optional<SampleQuantity> m_only;
    QList<SampleQuantity> m_seen; ///< Parallel to charts().
    int m_rows = 0;
    int m_shownRows = 0;
    int m_firstRow = 0;
    QString m_emptyText;
};

} // namespace rankdeck
