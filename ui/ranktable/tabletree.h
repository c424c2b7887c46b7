#pragma once

#include "ranktable/checkedtable.h"

#include <QTreeView>

namespace rankdeck
{

class TableTreeModel;

/// The servers and devices of a rank table as a tree.
class TableTree : public QTreeView
{
    Q_OBJECT

public:
    explicit TableTree(QWidget *parent = nullptr);

    void setTable(const SharedTable &table);
    void setIcons(const class SeverityIcons &icons);
    /// Not valid: nothing is selected.
    void showPlace(DevicePlace place);

Q_SIGNALS:
    /// By the user.
    void placeChosen(rankdeck::DevicePlace place);

protected:
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
    void hideEmptyColumns(const RankTable &table);

    TableTreeModel *m_model;
    bool m_showing = false;
};

} // namespace rankdeck
