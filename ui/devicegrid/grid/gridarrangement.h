#pragma once

#include "base/oneshottimer.h"
#include "devicegrid/grid/gridcontents.h"

namespace rankdeck
{

/// The shown cells of each server, and their order. Changes only in settle(), so that nothing moves while the
/// user is about to click.
class GridSelection
{
public:
    /// These take effect with settle().
    void setOrder(const RankOrder &order) { m_order = order; }
    void setFilter(const SampleFilter &filter) { m_filter = filter; }
    const RankOrder &order() const { return m_order; }
    bool hasFilter() const { return !m_filter.isEmpty(); }
    /// Whether changes of the run cannot change the selection.
    bool isPlain() const { return !hasFilter() && m_order == RankOrder(); }

    /// Brings it up to date. Returns whether that changed anything.
    bool settle(const GridContents &contents, const QDateTime &now);

    QList<int> cells(int server) const { return m_cells.value(server); }
    /// Number of cells, including folded ones.
    int count() const { return m_count; }
    /// Returns the `servers` that have a cell, sorted by their first cells if cells are sorted by a value.
    QList<int> sorted(const QList<int> &servers) const;

private:
    RankOrder m_order;
    SampleFilter m_filter;
    QList<QList<int>> m_cells;             ///< By server.
    QList<std::optional<double>> m_firsts; ///< The value of each server's first cell.
    int m_count = 0;
};

/// Arranges the servers and cells of a grid: the visible ones, their order, and the folded ones. Changes of
/// the run move cells at most every few seconds, and nothing while the user is busy in the grid.
class GridArrangement : public QObject
{
    Q_OBJECT

public:
    /// @param contents is arranged; must live as long as this object does.
    explicit GridArrangement(GridContents &contents);

    /// Sorts the cells within their servers, and the servers by their first cells.
    void setCellOrder(const RankOrder &order)
    {
        m_selection.setOrder(order);
        arrange();
    }
    /// Hides the cells that the filter excludes, and servers without cells; opens folded servers.
    void setFilter(const SampleFilter &filter)
    {
        m_selection.setFilter(filter);
        arrange();
    }
    void setOrder(ServerGroups::Order order);
    void setAllFolded(bool folded)
    {
        m_groups.setAllFolded(folded);
        Q_EMIT changed();
    }
    /// Returns false if the server cannot be folded, or is as wanted.
    bool setFolded(int server, bool folded);

    /// Takes a new state of the contents. @param areOtherServers see GridContents::setState().
    void takeState(bool areOtherServers);
    /// Takes new samples or lines of the contents.
    void update();
    /// Brings rows, folding and the order of servers up to date.
    void settle();
    /// Moves cells soon, if changes can move them.
    void settleCellsSoon();
    /// Nothing moves for a while, because the user is busy in the grid.
    void hold() { m_hold.start(); }

    const ServerGroups &groups() const { return m_groups; }
    const GridSelection &selection() const { return m_selection; }
    /// A filter opens all servers.
    bool isFolded(int server) const { return !m_selection.hasFilter() && m_groups.isFolded(server); }
    /// Returns the shown servers, top to bottom.
    QList<DeviceGridGeometry::Block> blocks() const;
    /// Returns the processes on a device, or on the shown devices of a server.
    QList<int> processesOf(const GridItem &item) const;

Q_SIGNALS:
    /// blocks(), or the rows of cells, are others.
    void changed();

private:
    bool settleServers();
    bool settleCells() { return m_selection.settle(m_contents, m_contents.state().timeSeen()); }
    void settleAll();
    void arrange();

    GridContents &m_contents;
    ServerGroups m_groups;
    GridSelection m_selection;
    int m_cellCount = 0;
    OneShotTimer m_hold{2000};    ///< While it runs, the user is busy in the grid: to find and click an item.
    OneShotTimer m_reorder{3000}; ///< Until cells may move again: the eye cannot follow more often.
};

} // namespace rankdeck
