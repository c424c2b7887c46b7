#pragma once

#include "devicedetails/devicecolumns.h"
#include "launch/launchplan.h"
#include "run/samples/sampleage.h"

#include <QAbstractTableModel>
#include <QDateTime>
#include <QPalette>

#include <memory>
#include <vector>

namespace rankdeck
{

/// A row for each of some ranks: what their NPUs and process trees are like.
class DeviceTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// Then those of deviceColumns().
    enum Column { RankColumn, NodeColumn, SinceColumn, FirstDeviceColumn };
    /// DeviceValue::value.
    static constexpr int SortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setPalette(const QPalette &palette);
    /// Other rows: those of `processes`, by index in the plan. What is known of them comes with setSamples().
    void setProcesses(const LaunchPlan &plan, const QList<int> &processes);
    /// What is old is not shown as if it were so now. Cells that say the same as before are left alone.
    void setSamples(const RunSamples &samples, const SampleAges &ages, const QDateTime &now);
    int process(int row) const { return m_rows.at(static_cast<std::size_t>(row)).process; }
    /// Whether some rank has a value there, or a word why it has none.
    bool hasValues(int column) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        int process = 0;
        std::vector<DeviceValue> cells; ///< By column.
    };

    void setCells(int row, const std::vector<DeviceValue> &cells);

    QPalette m_palette;
    std::vector<Row> m_rows;
};

} // namespace rankdeck
