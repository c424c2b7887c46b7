#pragma once

#include "background/iothread.h"
#include "log/file/logfollower.h"
#include "ranktable/findings/checkedtable.h"
#include "ranktable/findings/severityicon.h"
#include "widgets/widgetparts.h"

#include <QAbstractItemModel>
#include <QAbstractTableModel>
#include <QTableView>
#include <QTreeView>

namespace rankdeck
{

class LogView;

/// The devices of a rank table: a row for each server, a cell for each device.
class TableGridModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTable(const SharedTable &table);
    void setIcons(const SeverityIcons &icons) { m_icons = icons; }
    /// Returns an invalid place if the server has no device in that column.
    DevicePlace placeOf(const QModelIndex &index) const;
    QModelIndex indexOf(DevicePlace place) const
    {
        return place.isValid() ? index(place.server, std::max(0, place.device)) : QModelIndex();
    }

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() || !m_table ? 0 : int(m_table->table().servers.size());
    }
    int columnCount(const QModelIndex &parent = {}) const override { return countBelow(parent, m_columns); }
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override
    {
        return placeOf(index).isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
    }

private:
    SharedTable m_table;
    SeverityIcons m_icons;
    int m_columns = 0;
};

/// Shows a rank table as a grid. All cells have the same size, so that only those on the screen cost time.
class TableGrid : public QTableView
{
    Q_OBJECT

public:
    TableGrid();

    void setTable(const SharedTable &table);
    void setIcons(const class SeverityIcons &icons);
    /// Selects a place; an invalid one selects nothing, a server its first device.
    void showPlace(DevicePlace place);

Q_SIGNALS:
    /// The user selected a place.
    void placeChosen(rankdeck::DevicePlace place);

protected:
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void changeEvent(QEvent *event) override;

private:
    void fitCells();

    TableGridModel *m_model;
    int m_devices = 0; ///< Devices of the whole table.
    bool m_showing = false;
};

/// The servers of a rank table, and below each its devices. Nothing is stored per row.
class TableTreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { NameColumn, DeviceColumn, FindingColumn, IpColumn, SuperDeviceColumn, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    void setTable(const SharedTable &table);
    void setIcons(const SeverityIcons &icons) { m_icons = icons; }
    DevicePlace placeOf(const QModelIndex &index) const;
    /// Returns an invalid index if there is no such place.
    QModelIndex indexOf(DevicePlace place) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex & = {}) const override { return ColumnCount; }
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString serverText(int server, int column) const;
    QString deviceText(DevicePlace place, int column) const;
    QString findingText(DevicePlace place) const;
    std::optional<Severity> worst(DevicePlace place) const
    {
        return place.device < 0 ? m_table->places.worstWithin(place.server) : m_table->worstAt(place);
    }

    SharedTable m_table;
    SeverityIcons m_icons;
};

/// Shows the servers and devices of a rank table as a tree.
class TableTree : public QTreeView
{
    Q_OBJECT

public:
    TableTree();

    void setTable(const SharedTable &table);
    void setIcons(const class SeverityIcons &icons);
    /// Selects a place; an invalid one selects nothing.
    void showPlace(DevicePlace place);

Q_SIGNALS:
    /// The user selected a place.
    void placeChosen(rankdeck::DevicePlace place);

protected:
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
    void hideEmptyColumns(const RankTable &table);

    TableTreeModel *m_model;
    bool m_showing = false;
};

/// Shows the text of a rank table file with a marked line. Reads only the lines on the screen.
class TableText : public QWidget
{
    Q_OBJECT

public:
    TableText();
    ~TableText() override;

    /// Shows a file from its beginning; nothing for an empty path.
    void setFile(const QString &path);
    /// Reads the changed file again, without scrolling.
    void reload();
    /// Marks a line and a column, both from 1; column 0 is unknown, line 0 removes the mark.
    void markLine(int line, int column = 0);
    LogView *view() const { return m_view; }

private:
    void openFile();

    IoThread m_thread;
    RemoteOwner<LogFollower> m_follower;
    QString m_path;
    LogView *m_view;
};

} // namespace rankdeck
