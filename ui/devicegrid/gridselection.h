#pragma once

#include "devicegrid/gridcontents.h"
#include "run/samples/samplefilter.h"

#include <QDateTime>
#include <QList>

namespace rankdeck
{

/// Which cells of each server a grid shows, and in which order. A value; it follows what changes with
/// settle() alone, so that nothing moves where somebody is about to click.
class GridSelection
{
public:
    /// Take effect with settle().
    void setOrder(const RankOrder &order) { m_order = order; }
    void setFilter(const SampleFilter &filter) { m_filter = filter; }
    const RankOrder &order() const { return m_order; }
    bool hasFilter() const { return !m_filter.isEmpty(); }
    /// What changes does not change the selection.
    bool isPlain() const { return !hasFilter() && m_order == RankOrder(); }

    /// Bring it up to date. Whether that changed anything.
    bool settle(const GridContents &contents, const QDateTime &now = QDateTime::currentDateTimeUtc());

    QList<int> cells(int server) const { return m_cells.value(server); }
    /// How many cells are shown, folded away or not.
    int count() const { return m_count; }
    /// Of `servers` those that have a cell; by their first ones when these are sorted by a value.
    QList<int> sorted(const QList<int> &servers) const;

private:
    RankOrder m_order;
    SampleFilter m_filter;
    QList<QList<int>> m_cells;             ///< By server.
    QList<std::optional<double>> m_firsts; ///< The value of each server's first cell.
    int m_count = 0;
};

} // namespace rankdeck
