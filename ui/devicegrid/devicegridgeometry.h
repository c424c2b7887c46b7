#pragma once

#include <QHash>
#include <QList>
#include <QRect>
#include <QSize>
#include <Qt>

namespace rankdeck
{

/// Something the cursor of a device grid can be on.
struct GridItem {
    int server = -1; ///< As in the rank table.
    int cell = -1;   ///< Of the server; -1: its heading.

    bool isValid() const { return server >= 0; }
    bool isHeading() const { return server >= 0 && cell < 0; }
    bool operator==(const GridItem &) const = default;
};

inline size_t qHash(const GridItem &item, size_t seed = 0)
{
    return qHashMulti(seed, item.server, item.cell);
}

/// Where the headings and cells of a device grid are, in pixels from the top left of the whole grid. Folded
/// servers stand side by side, each open one takes rows of its own. A value: the same servers and width
/// always give the same places, whatever the cells hold.
class DeviceGridGeometry
{
public:
    struct Metrics {
        QSize minimumCell; ///< Cells are never smaller, but for a grid narrower than one cell.
        int maximumCellWidth = 0;
        QSize minimumHeading; ///< Of a folded server; that of an open one is as wide as the grid.
        int gap = 0;          ///< Between cells, and below a server's last row.
        int margin = 0;       ///< Around everything.
    };
    /// A server with those of its cells that are shown, in that order.
    struct Block {
        int server = 0;
        QList<int> cells;
        bool folded = false;
    };

    /// All cells of a server that has so many.
    static QList<int> allCells(int count);

    DeviceGridGeometry() = default;
    /// @param blocks top to bottom.
    DeviceGridGeometry(const QList<Block> &blocks, const Metrics &metrics, int width);

    /// Of cells.
    int columns() const { return m_columns; }
    int height() const { return m_height; }

    /// Headings and cells that are not folded away are numbered top to bottom.
    int itemCount() const { return int(m_items.size()); }
    GridItem item(int index) const { return m_items.value(index).item; }
    /// Empty for no index.
    QRect place(int index) const { return m_items.value(index).place; }
    /// -1 for what is folded away or not shown, and for no item.
    int indexOf(const GridItem &item) const;
    /// -1 between items, and on the heading of a single server: it is no item of the cursor.
    int itemAt(const QPoint &point) const;
    /// The item that an arrow key, Home, End, Page Up or Page Down leads to from `index`; `index` itself at
    /// an edge.
    /// @param pageHeight how far a page is, in pixels.
    int neighbour(int index, Qt::Key key, int pageHeight = 0) const;
    /// Whether nothing stands beside it.
    bool isAloneInRow(int index) const;

private:
    struct Placed {
        GridItem item;
        QRect place;
    };
    /// What the cursor's Up and Down lead through.
    struct Row {
        int first = 0; ///< Index of an item.
        int count = 0;
        int top = 0;
    };

    void placeFolded(const QList<Block> &run, const Metrics &metrics, int inner);
    void placeOpen(const Block &block, const Metrics &metrics, int inner, bool headingIsItem);
    void place(const GridItem &item, const QRect &where);
    int rowOf(int index) const;
    int rowAt(int y) const;

    QList<Placed> m_items;
    QHash<GridItem, int> m_indexes;
    QList<Row> m_rows;
    QSize m_cell;
    int m_columns = 1;
    int m_height = 0;
};

} // namespace rankdeck
