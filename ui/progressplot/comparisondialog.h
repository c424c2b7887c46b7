#pragma once

#include "diagnosis/progress/runcomparison.h"
#include "widgets/widgetparts.h"

#include <QDialog>

class QTableWidget;

namespace rankdeck
{

class ProgressPlot;

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
