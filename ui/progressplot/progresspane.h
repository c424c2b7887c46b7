#pragma once

#include "diagnosis/progress/progresscurves.h"
#include "launch/launchplan.h"

#include <QWidget>

#include <memory>

class QPushButton;

namespace rankdeck
{

class ProgressPlot;

/// The plot of the chosen ranks' progress, with what saves it.
class ProgressPane : public QWidget
{
    Q_OBJECT

public:
    explicit ProgressPane(QWidget *parent = nullptr);

    ProgressPlot *plot() const { return m_plot; }
    /// @param plan whose processes the curves are of.
    void setCurves(std::shared_ptr<const LaunchPlan> plan, const ProgressCurves &curves);
    void clear();

    /// Write what is shown, whole or not at all; errors are told in a box.
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
