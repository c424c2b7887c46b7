#pragma once

#include "diagnosis/progress/pastprogress.h"
#include "plot/curveplot.h"
#include "widgets/widgetparts.h"

#include <QDialog>

class QTableWidget;

namespace rankdeck
{

/// The curves of a rank.
struct PlotCurve {
    int rank = 0;
    ValueSeries loss;
    ValueSeries stepTime; ///< ms
    qint64 planned = 0;   ///< How many steps there will be; 0 if that is unknown.
    QString run = {};     ///< Its name, where runs are compared.

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
    /// @param weight 0 .. 1: weight of earlier steps in each value; 0: values unchanged.
    void setSmoothing(double weight)
    {
        m_smoothing = weight;
        refresh();
    }
    void setLogScale(bool isLog)
    {
        m_isLog = isLog;
        refresh();
    }

protected:
    PlotAxis axisFor(qint64 first, qint64 last, int marks, AxisEnd end) const override;
    QString readoutAt(std::optional<qint64> place, const QString &separator) const override;
    QString markAlong(const PlotAxis &along, double mark) const override { return markText(along, mark); }
    QString emptyText() const override;
    qint64 firstPlace() const override { return 0; }

private:
    void refresh();

    QList<PlotCurve> m_curves;
    double m_smoothing = 0;
    bool m_isLog = false;
};

/// The plot of the chosen ranks' progress, with its scale and smoothing, and buttons to save it.
class ProgressPane : public QWidget
{
    Q_OBJECT

public:
    explicit ProgressPane(QWidget *parent = nullptr);

    ProgressPlot *plot() const { return m_plot; }
    /// @param plan whose processes the curves are of.
    void setCurves(std::shared_ptr<const LaunchPlan> plan, const ProgressCurves &curves);
    void clear() { setCurves(nullptr, {}); }

    /// Writes the shown values to a file, whole or not at all; errors are shown in a box.
    void saveCsv(const QString &path);

private:
    ProgressPlot *m_plot;
    QComboBox *m_smoothing;
    QCheckBox *m_logScale;
    QPushButton *m_csv;
    QPushButton *m_picture;
    std::shared_ptr<const LaunchPlan> m_plan;
    ProgressCurves m_curves;
};

/// Runs side by side: how they ended, how far they came and which options differ, and below that their curves
/// over each other.
class ComparisonDialog : public QDialog
{
    Q_OBJECT

public:
    /// Reads the runs in the background. @param directories of two or more.
    explicit ComparisonDialog(const QStringList &directories, QWidget *parent = nullptr);

    ProgressPlot *plot() const { return m_plot; }

private:
    void showRuns(const Result<std::vector<ComparedRun>> &runs);

    QLabel *m_status;
    QTableWidget *m_table;
    ProgressPlot *m_plot;
};

} // namespace rankdeck
