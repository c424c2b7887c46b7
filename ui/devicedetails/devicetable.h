#pragma once

#include "devicedetails/devicetablemodel.h"

#include <QTableView>

namespace rankdeck
{

struct LaunchPlan;

/// The table of NPUs and process trees. A click on a heading sorts; Ctrl+C copies the selected rows, or all,
/// with headings as tab-separated values. Columns without values are hidden.
class DeviceTable : public QTableView
{
    Q_OBJECT

public:
    explicit DeviceTable(QWidget *parent = nullptr);

    void setProcesses(const LaunchPlan &plan, const QList<int> &processes);
    void setSamples(const RunSamples &samples, const SampleAges &ages, const QDateTime &now);
    void setFilter(const QString &words);
    /// Number of shown rows, and of all.
    int shownCount() const { return m_filter->rowCount(); }
    int count() const { return m_model->rowCount(); }
    /// Returns the index in the plan; -1 if no row is current.
    int currentProcess() const;
    /// Returns the table as shown, a line per row, tab-separated.
    QString text() const;

Q_SIGNALS:
    void currentProcessChanged(int process);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override
    {
        QTableView::currentChanged(current, previous);
        Q_EMIT currentProcessChanged(currentProcess());
    }

private:
    void showColumns();
    void choose(int process);

    DeviceTableModel *m_model;
    DeviceTableFilter *m_filter;
};

} // namespace rankdeck
