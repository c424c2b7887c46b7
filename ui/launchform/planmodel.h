#pragma once

#include "launch/launchplan.h"

#include <QAbstractTableModel>

namespace rankdeck
{

/// The processes of a plan, one a row.
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
    void clear();
    /// Whether any process has a device of its own.
    bool hasDevices() const;
    const LaunchPlan &plan() const { return m_plan; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// The boxes of TerminalColumn can be checked; that changes nothing here but asks for it.
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;

Q_SIGNALS:
    /// The user wants a terminal for these ranks and for no others, as --tty has it: "all", "none", "0-3,7".
    void terminalsWanted(const QString &ranks);

private:
    LaunchPlan m_plan;
    QStringList m_environments; ///< A row each.
};

/// The variables of `process` as "NAME=value" words, those first that differ between the processes of `plan`.
QString environmentSummary(const LaunchPlan &plan, const ProcessPlan &process);

/// All that is known of `process`, a line each, to read and to copy.
QString processDetails(const ProcessPlan &process);

} // namespace rankdeck
