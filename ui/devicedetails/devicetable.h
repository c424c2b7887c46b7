#pragma once

#include "devicedetails/devicetablefilter.h"
#include "devicedetails/devicetablemodel.h"

#include <QTableView>

namespace rankdeck
{

/// The table of NPUs and process trees: a press on a heading sorts, Ctrl+C copies the chosen rows, or all,
/// with their headings as tab-separated values. Columns that no rank has a value for are not shown.
class DeviceTable : public QTableView
{
    Q_OBJECT

public:
    explicit DeviceTable(QWidget *parent = nullptr);

    void setProcesses(const LaunchPlan &plan, const QList<int> &processes);
    void setSamples(const RunSamples &samples, const SampleAges &ages, const QDateTime &now);
    void setFilter(const QString &words);
    /// Rows that are shown, and all.
    int shownCount() const { return m_filter->rowCount(); }
    int count() const { return m_model->rowCount(); }
    /// By index in the plan; -1: no row is current.
    int currentProcess() const;
    /// Tab-separated, a line a row, as they stand.
    QString text() const;

public Q_SLOTS:
    void copy() const;

Q_SIGNALS:
    void currentProcessChanged(int process);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
    void showColumns();
    void choose(int process);

    DeviceTableModel *m_model;
    DeviceTableFilter *m_filter;
};

} // namespace rankdeck
