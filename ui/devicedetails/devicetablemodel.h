#pragma once

#include "run/samples/runsamples.h"
#include "widgets/tone.h"
#include "widgets/widgetparts.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QVariant>

namespace rankdeck
{

struct LaunchPlan;

/// The content of a cell in the table of NPUs and process trees.
struct DeviceValue {
    QVariant value; ///< Sort key: a number or a text; invalid: absent.
    QString text;
    Tone tone = Tone::Idle; ///< Idle: plain text.
    QString why = {};       ///< The reason for a missing value, a sentence; may be empty.

    bool operator==(const DeviceValue &) const = default;
};

/// A column of that table.
struct DeviceColumn {
    QString title;
    QString meaning; ///< A sentence.
    DeviceValue (*of)(const RunSamples::Sample &sample);
};

/// Returns the sentence on why the owners of processes on an NPU are unknown.
QString whyUsersAreUntold();

/// A row for each of some ranks, with the samples of its NPU and process tree.
class DeviceTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// Followed by those of deviceColumns().
    enum Column { RankColumn, NodeColumn, SinceColumn, FirstDeviceColumn };
    /// DeviceValue::value.
    static constexpr int SortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setPalette(const QPalette &palette);
    /// Sets the rows: `processes` by index in the plan. Their samples come with setSamples().
    void setProcesses(const LaunchPlan &plan, const QList<int> &processes);
    /// Sets the samples; old values are not shown. Only changed cells are reported.
    void setSamples(const RunSamples &samples, const SampleAges &ages, const QDateTime &now);
    int process(int row) const { return m_rows.at(std::size_t(row)).process; }
    /// Whether some rank has a text in this column.
    bool hasValues(int column) const;

    int rowCount(const QModelIndex &parent = {}) const override { return countBelow(parent, m_rows.size()); }
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

/// Sorts a DeviceTableModel, with absent values last in both directions, and hides the ranks that do not
/// contain all words.
class DeviceTableFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit DeviceTableFilter(QObject *parent = nullptr)
        : QSortFilterProxyModel(parent)
    {
        setSortRole(DeviceTableModel::SortRole);
    }

    /// Sets the words, separated by spaces; case does not matter.
    void setWords(const QString &words);

protected:
    bool lessThan(const QModelIndex &one, const QModelIndex &other) const override;
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    QStringList m_words;
};

} // namespace rankdeck
