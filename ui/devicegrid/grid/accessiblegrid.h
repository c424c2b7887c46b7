#pragma once

#include "devicegrid/grid/servergrid.h"

#include <QAccessibleWidget>

namespace rankdeck
{

/// The device grid for screen readers: a table of one column, from top to bottom a row for each heading and
/// rank that is not folded away, with its state in words.
class AccessibleGrid : public QAccessibleWidget, public QAccessibleTableInterface
{
public:
    /// To be called before the first grid is shown.
    static void install();

    explicit AccessibleGrid(ServerGrid *grid);
    ~AccessibleGrid() override;

    ServerGrid *grid() const { return m_grid; }

    void *interface_cast(QAccessible::InterfaceType type) override;
    QString text(QAccessible::Text kind) const override;
    int childCount() const override { return rowCount(); }
    QAccessibleInterface *child(int index) const override;
    QAccessibleInterface *childAt(int x, int y) const override;
    int indexOfChild(const QAccessibleInterface *child) const override;
    QAccessibleInterface *focusChild() const override;

    QAccessibleInterface *caption() const override { return nullptr; }
    QAccessibleInterface *summary() const override { return nullptr; }
    QAccessibleInterface *cellAt(int row, int column) const override;
    int selectedCellCount() const override { return int(selectedRows().size()); }
    QList<QAccessibleInterface *> selectedCells() const override;
    QString columnDescription(int) const override { return {}; }
    QString rowDescription(int) const override { return {}; }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return selectedCellCount(); }
    int columnCount() const override { return 1; }
    int rowCount() const override { return m_grid->itemCount(); }
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override;
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int row) const override { return m_grid->isItemChosen(row); }
    // Ranks are chosen with the keys of the grid.
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent *) override {}

private:
    ServerGrid *m_grid;
    mutable QHash<int, QAccessible::Id> m_cells; ///< Ids of the cells that a screen reader asked for.
};

} // namespace rankdeck
