#pragma once

#include "plot/curveplot.h"
#include "run/samples/nodehistory.h"

class QScrollBar;

namespace rankdeck
{

/// Samples of NPUs and process trees over the time of a run, a chart for each quantity: row by row, as many
/// as there is room for.
class DevicePlot : public CurvePlot
{
    Q_OBJECT

public:
    explicit DevicePlot(QWidget *parent = nullptr);

    /// @param plan whose processes the curves are of.
    void setCurves(std::shared_ptr<const LaunchPlan> plan, const SampleCurves &curves);
    /// Shows only this quantity; nothing: all.
    void setOnly(std::optional<SampleQuantity> quantity);
    /// Quantities that some rank has, in order.
    const QList<SampleQuantity> &quantities() const { return m_quantities; }
    static QString title(SampleQuantity quantity) { return quantityTitle(quantity); }
    /// Sets the text that is shown if there are no curves.
    void setEmptyText(const QString &text);

    /// Rows of charts: all, those that fit, and the first shown one.
    int rows() const { return m_rows; }
    int shownRows() const { return m_shownRows; }
    void setFirstRow(int row)
    {
        m_firstRow = row;
        refresh();
    }

Q_SIGNALS:
    /// Emitted when the number of rows, or of rows that fit, changed.
    void rowsChanged();

protected:
    std::unique_ptr<CurvePlot> whole() const override;
    /// The readout of the visible charts.
    QString readoutAt(std::optional<qint64> place, const QString &separator) const override;
    PlotAxis axisFor(qint64 first, qint64 last, int marks, AxisEnd end) const override
    {
        return timeAxis(first, last, marks, end);
    }
    QString markAlong(const PlotAxis &along, double mark) const override { return timeMarkText(along, mark); }
    QString emptyText() const override { return m_emptyText; }
    bool mayStandBeside() const override { return true; }
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Words {
        const char *value; ///< With its unit.
        int decimals;
    };
    static const Words &wordsOf(SampleQuantity quantity);

    QList<SampleQuantity> wantedQuantities() const
    {
        return m_only && m_quantities.contains(*m_only) ? QList<SampleQuantity>{*m_only} : m_quantities;
    }
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

/// A plot with a scroll bar that appears if not all charts fit. The wheel, Page Up and Page Down move it.
class DevicePlotPane : public QWidget
{
    Q_OBJECT

public:
    explicit DevicePlotPane(DevicePlot *plot);

protected:
    /// Handles events that the plot ignores.
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void fit();

    DevicePlot *m_plot;
    QScrollBar *m_bar;
};

} // namespace rankdeck
