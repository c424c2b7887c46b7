#pragma once

#include "ranktable/checkedtable.h"

#include <QTableView>

namespace rankdeck
{

class TableGridModel;

/// A rank table as a grid: a row a server, a cell a device. Cells have one size, so that any number of them
/// costs no more than those on the screen.
class TableGrid : public QTableView
{
    Q_OBJECT

public:
    explicit TableGrid(QWidget *parent = nullptr);

    void setTable(const SharedTable &table);
    void setIcons(const class SeverityIcons &icons);
    /// Not valid: nothing is selected. A server is shown by its first device.
    void showPlace(DevicePlace place);

Q_SIGNALS:
    /// By the user.
    void placeChosen(rankdeck::DevicePlace place);

protected:
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void changeEvent(QEvent *event) override;

private:
    void fitCells();

    TableGridModel *m_model;
    int m_devices = 0; ///< Of the whole table.
    bool m_showing = false;
};

} // namespace rankdeck
