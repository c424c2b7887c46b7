#include "devicegrid/grid/accessiblegrid.h"

#include "canvas/widget/accessiblecanvas.h"

#include <QPointer>

namespace rankdeck
{

namespace
{

/// A heading or a rank of a grid, by its place from top to bottom.
class AccessibleItem : public QAccessibleInterface, public QAccessibleTableCellInterface
{
public:
    AccessibleItem(ServerGrid *grid, int index)
        : m_grid(grid)
        , m_index(index)
    {
    }

    bool isValid() const override { return m_grid && m_index < m_grid->itemCount(); }
    QObject *object() const override { return nullptr; }
    QWindow *window() const override { return m_grid ? m_grid->window()->windowHandle() : nullptr; }
    QAccessibleInterface *parent() const override { return QAccessible::queryAccessibleInterface(m_grid); }
    QAccessibleInterface *child(int) const override { return nullptr; }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    void setText(QAccessible::Text, const QString &) override {}
    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Name && isValid() ? m_grid->spokenItem(m_index) : QString();
    }
    QRect rect() const override
    {
        const QRect place = isValid() ? m_grid->itemRect(m_index) : QRect();
        return {m_grid ? m_grid->mapToGlobal(place.topLeft()) : QPoint(), place.size()};
    }
    QAccessible::Role role() const override
    {
        return isValid() && m_grid->isHeadingItem(m_index) ? QAccessible::RowHeader : QAccessible::Cell;
    }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.invalid = !isValid();
        if (!isValid())
            return state;
        state.focusable = true;
        state.selectable = true;
        state.focused = m_grid->hasFocus() && m_grid->currentItem() == m_index;
        state.selected = isSelected();
        state.offscreen = !m_grid->rect().intersects(m_grid->itemRect(m_index));
        return state;
    }
    void *interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface *>(this)
                                                       : nullptr;
    }

    bool isSelected() const override { return isValid() && m_grid->isItemChosen(m_index); }
    QList<QAccessibleInterface *> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface *> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return 0; }
    int rowIndex() const override { return m_index; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface *table() const override { return parent(); }

private:
    QPointer<ServerGrid> m_grid;
    int m_index;
};

/// A grid, as installAccessibleGrid() says.
class AccessibleGrid : public QAccessibleWidget, public QAccessibleTableInterface
{
public:
    explicit AccessibleGrid(ServerGrid *grid)
        : QAccessibleWidget(grid, QAccessible::Table)
        , m_grid(grid)
    {
    }
    ~AccessibleGrid() override
    {
        for (const QAccessible::Id cell : std::as_const(m_cells))
            QAccessible::deleteAccessibleInterface(cell);
    }

    void *interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableInterface ? static_cast<QAccessibleTableInterface *>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Description ? m_grid->describedCurrent() : QAccessibleWidget::text(kind);
    }
    int childCount() const override { return rowCount(); }
    QAccessibleInterface *child(int index) const override
    {
        if (index < 0 || index >= rowCount())
            return nullptr;
        const auto known = m_cells.constFind(index);
        if (known != m_cells.constEnd())
            return QAccessible::accessibleInterface(*known);
        auto *const item = new AccessibleItem(m_grid, index);
        m_cells.insert(index, QAccessible::registerAccessibleInterface(item));
        return item;
    }
    QAccessibleInterface *childAt(int x, int y) const override
    {
        return child(m_grid->itemIndexAt(m_grid->mapFromGlobal(QPoint(x, y))));
    }
    int indexOfChild(const QAccessibleInterface *child) const override
    {
        const auto *item = dynamic_cast<const AccessibleItem *>(child);
        return item ? item->rowIndex() : -1;
    }
    QAccessibleInterface *focusChild() const override
    {
        return m_grid->hasFocus() ? child(m_grid->currentItem()) : nullptr;
    }

    QAccessibleInterface *caption() const override { return nullptr; }
    QAccessibleInterface *summary() const override { return nullptr; }
    QAccessibleInterface *cellAt(int row, int column) const override
    {
        return column == 0 ? child(row) : nullptr;
    }
    int selectedCellCount() const override { return int(selectedRows().size()); }
    QList<QAccessibleInterface *> selectedCells() const override
    {
        return listOf(selectedRows(), [&](int row) { return child(row); });
    }
    QString columnDescription(int) const override { return {}; }
    QString rowDescription(int) const override { return {}; }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return selectedCellCount(); }
    int columnCount() const override { return 1; }
    int rowCount() const override { return m_grid->itemCount(); }
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override
    {
        QList<int> rows;
        for (int row = 0; row < rowCount(); ++row) {
            if (m_grid->isItemChosen(row))
                rows << row;
        }
        return rows;
    }
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

} // namespace

void installAccessibleGrid()
{
    installAccessible<ServerGrid, AccessibleGrid>();
}

} // namespace rankdeck
