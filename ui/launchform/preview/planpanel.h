#pragma once

#include "launchform/fields/previewresult.h"
#include "widgets/widgetparts.h"

#include <QAbstractTableModel>
#include <QTableView>

class QStackedWidget;

namespace rankdeck
{

/// The processes of a plan, one in each row.
class PlanModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        RankColumn,
        DeviceColumn,
        TerminalColumn,
        CommandColumn,
        EnvironmentColumn,
        LogColumn,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setPlan(const LaunchPlan &plan);
    /// Returns true if any process has a device of its own.
    bool hasDevices() const;
    const LaunchPlan &plan() const { return m_plan; }

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return countBelow(parent, m_plan.processes.size());
    }
    int columnCount(const QModelIndex &parent = {}) const override { return countBelow(parent, ColumnCount); }
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// The boxes of TerminalColumn can be checked; that only emits terminalsRequested().
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;

Q_SIGNALS:
    /// Emitted when the user wants terminals for exactly these ranks, in the form of --tty: "all", "none",
    /// "0-3,7".
    void terminalsRequested(const QString &ranks);

private:
    LaunchPlan m_plan;
    QStringList m_environments; ///< By row.
};

/// Shows a plan before it is carried out: a summary, a table of its processes, and the details of the
/// selected one.
class PlanPanel : public QWidget
{
    Q_OBJECT

public:
    PlanPanel();

    QList<QWidget *> focusOrder() const { return {m_table, m_details}; }

    /// Shows the plan, or the steps that are still to do for one.
    void showPreview(const PreviewResult &result, const QStringList &steps);
    /// Shows `reason` in place of a plan.
    void setEmpty(const QString &reason);

Q_SIGNALS:
    /// See PlanModel::terminalsRequested().
    void terminalsRequested(const QString &ranks);

private:
    QWidget *makePlanPage();
    void setPlan(const LaunchPlan &plan);
    void showDetails();

    PlanModel *m_model;
    QLabel *m_summary;
    QStackedWidget *m_pages;
    QLabel *m_reason;
    QTableView *m_table;
    QLabel *m_notes;
    QLabel *m_detailsTitle;
    QPlainTextEdit *m_details;
    bool m_columnsSized = false;
};

} // namespace rankdeck
