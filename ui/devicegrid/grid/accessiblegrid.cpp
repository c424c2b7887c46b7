#include "devicegrid/grid/accessiblegrid.h"

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

} // namespace

void AccessibleGrid::install()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory([](const QString &, QObject *object) -> QAccessibleInterface * {
            auto *const grid = qobject_cast<ServerGrid *>(object);
            return grid ? new AccessibleGrid(grid) : nullptr;
        });
        return true;
    }();
    Q_UNUSED(isInstalled);
}

AccessibleGrid::AccessibleGrid(ServerGrid *grid)
    : QAccessibleWidget(grid, QAccessible::Table)
    , m_grid(grid)
{
}

AccessibleGrid::~AccessibleGrid()
{
    for (const QAccessible::Id cell : std::as_const(m_cells))
        QAccessible::deleteAccessibleInterface(cell);
}

void *AccessibleGrid::interface_cast(QAccessible::InterfaceType type)
{
    return type == QAccessible::TableInterface ? static_cast<QAccessibleTableInterface *>(this)
                                               : QAccessibleWidget::interface_cast(type);
}

QString AccessibleGrid::text(QAccessible::Text kind) const
{
    return kind == QAccessible::Description ? m_grid->describedCurrent() : QAccessibleWidget::text(kind);
}

QAccessibleInterface *AccessibleGrid::child(int index) const
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

QAccessibleInterface *AccessibleGrid::childAt(int x, int y) const
{
    return child(m_grid->itemIndexAt(m_grid->mapFromGlobal(QPoint(x, y))));
}

int AccessibleGrid::indexOfChild(const QAccessibleInterface *child) const
{
    const auto *item = dynamic_cast<const AccessibleItem *>(child);
    return item ? item->rowIndex() : -1;
}

QAccessibleInterface *AccessibleGrid::focusChild() const
{
    return m_grid->hasFocus() ? child(m_grid->currentItem()) : nullptr;
}

QAccessibleInterface *AccessibleGrid::cellAt(int row, int column) const
{
    return column == 0 ? child(row) : nullptr;
}

QList<int> AccessibleGrid::selectedRows() const
{
    QList<int> rows;
    for (int row = 0; row < rowCount(); ++row) {
        if (m_grid->isItemChosen(row))
            rows << row;
    }
    return rows;
}

QList<QAccessibleInterface *> AccessibleGrid::selectedCells() const
{
    QList<QAccessibleInterface *> cells;
    for (const int row : selectedRows())
        cells << child(row);
    return cells;
}

} // namespace rankdeck
