#pragma once

#include "canvas/widget/canvaswidget.h"

#include <QHash>
#include <QScrollBar>
#include <Qt>

namespace rankdeck
{

/// A heading or a cell of a device grid.
struct GridItem {
    int server = -1; ///< As in the rank table.
    int cell = -1;   ///< Within the server; -1: its heading.

    bool isValid() const { return server >= 0; }
    bool isHeading() const { return server >= 0 && cell < 0; }
    bool operator==(const GridItem &) const = default;
};

inline size_t qHash(const GridItem &item, size_t seed = 0)
{
    return qHashMulti(seed, item.server, item.cell);
}

/// The places of headings and cells in a device grid, in pixels from its top left. Folded servers stand side
/// by side, an open one has its own rows. Places depend only on servers and width, not on cells' content.
class DeviceGridGeometry
{
public:
    struct Metrics {
        QSize minimumCell; ///< Cells are never smaller, unless the grid is narrower than one cell.
        int maximumCellWidth = 0;
        /// Least size of a folded server's heading; an open server's heading is as wide as the grid.
        QSize minimumHeading;
        int gap = 0;    ///< Between cells, and below a server's last row.
        int margin = 0; ///< Around everything.
        /// Servers stand one after the other without headings, none is folded; cells have their minimum size.
        bool isFlat = false;
    };
    /// A server with its shown cells, in order.
    struct Block {
        int server = 0;
        QList<int> cells;
        bool folded = false;
    };

    /// Returns all cells of a server with `count` cells.
    static QList<int> allCells(int count);

    DeviceGridGeometry() = default;
    /// @param blocks top to bottom.
    DeviceGridGeometry(const QList<Block> &blocks, const Metrics &metrics, int width);

    int columns() const { return m_columns; }
    int height() const { return m_height; }

    /// Headings and cells that are not folded away are numbered top to bottom.
    int itemCount() const { return int(m_items.size()); }
    GridItem item(int index) const { return m_items.value(index).item; }
    /// Returns an empty rectangle for an invalid index.
    QRect place(int index) const { return m_items.value(index).place; }
    /// Returns the items that may be seen between two heights: the first, and the one after the last.
    std::pair<int, int> between(int top, int bottom) const;
    /// Returns -1 for an item that is folded away or not shown, and for an invalid one.
    int indexOf(const GridItem &item) const { return m_indexes.value(item, -1); }
    /// Returns -1 between items, and on the heading of a single server, which the cursor cannot reach.
    int itemAt(const QPoint &point) const;
    /// Returns the item that an arrow, Home, End or a page key leads to from `index`; at an edge `index`.
    /// @param pageHeight in pixels.
    int neighbour(int index, Qt::Key key, int pageHeight = 0) const;
    bool isAloneInRow(int index) const;

private:
    struct Placed {
        GridItem item;
        QRect place;
    };
    /// A row that Up and Down step through.
    struct Row {
        int first = 0; ///< Index of an item.
        int count = 0;
        int top = 0;
    };

    void placeFolded(const QList<Block> &run, const Metrics &metrics, int inner);
    void placeFlat(const QList<Block> &blocks, const Metrics &metrics, int inner);
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

/// A scrolled grid of headings and cells of devices or ranks, with a cursor that the arrow keys, Home, End,
/// Page Up and Page Down move. Subclasses define its content, its size and the other input.
class ScrolledGrid : public CanvasWidget
{
    Q_OBJECT

public:
    explicit ScrolledGrid(QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The user or the program moved the cursor.
    void currentMoved();

protected:
    /// Returns the item at the cursor in words, for screen readers.
    virtual QString describedCurrent() const = 0;
    /// Returns the text of an item's tool tip; empty for none.
    virtual QString noteOf(const GridItem &item) const = 0;
    virtual DeviceGridGeometry::Metrics metrics() const = 0;

    const GridItem &current() const { return m_current; }
    /// Puts the cursor on an item without showing or describing it.
    void putCurrent(const GridItem &item) { m_current = item; }
    /// Moves the cursor and scrolls to it. Does nothing for an item that is not shown.
    void setCurrent(const GridItem &item);
    /// Describes the item at the cursor, after that has moved or its item may have changed.
    void describeCurrent() { describe(describedCurrent()); }
    virtual void moveCurrent(Qt::Key key, Qt::KeyboardModifiers modifiers);

    /// Lays these out, top to bottom, and draws everything. The cursor's item keeps its place if visible,
    /// else the first visible item; a grid at its top stays there, to show what comes in.
    void setBlocks(const QList<DeviceGridGeometry::Block> &blocks)
    {
        m_blocks = blocks;
        layOut();
    }
    const DeviceGridGeometry &geometry() const { return m_geometry; }
    /// The blocks are about to be laid out: metrics() may change.
    virtual void prepare(const QList<DeviceGridGeometry::Block> &) {}
    /// Returns the indexes of the items that may be seen: the first, and the one after the last.
    std::pair<int, int> seenItems() const
    {
        return m_geometry.between(m_bar->value(), m_bar->value() + height());
    }
    /// Returns the place of an item in the widget by its index.
    QRect seenPlace(int index) const { return m_geometry.place(index).translated(0, -m_bar->value()); }
    /// Returns the place in the widget at the current scroll position; empty if folded away.
    QRect placeOf(const GridItem &item) const;
    GridItem itemAt(const QPoint &place) const
    {
        return m_geometry.item(m_geometry.itemAt(place + QPoint(0, m_bar->value())));
    }
    void scrollTo(const GridItem &item);
    /// Scrolls to the top and forgets all places.
    void scrollToTop();

    bool event(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *) override { schedule(); }
    void keyPressEvent(QKeyEvent *event) override;
    void roomChanged() override { layOut(); }
    void wheelEvent(QWheelEvent *event) override;

private:
    GridItem heldItem() const;
    void layOut();

    QList<DeviceGridGeometry::Block> m_blocks;
    DeviceGridGeometry m_geometry;
    GridItem m_current; ///< At the cursor.
    QScrollBar *m_bar;
};

} // namespace rankdeck
