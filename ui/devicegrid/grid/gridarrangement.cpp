#include "devicegrid/grid/gridarrangement.h"

namespace rankdeck
{

bool GridSelection::settle(const GridContents &contents, const QDateTime &now)
{
    QList<QList<int>> cells;
    m_firsts.clear();
    m_count = 0;
    for (int server = 0; server < contents.servers().size(); ++server) {
        const int count = int(contents.servers().at(server).devices.size());
        QList<int> its = DeviceGridGeometry::allCells(count);
        std::optional<double> first;
        if (!isPlain()) {
            QList<RankLook> looks;
            for (int cell = 0; cell < count; ++cell)
                looks << contents.look({server, cell}, now);
            its = inOrder(looks, m_order);
            its.removeIf([&](int cell) { return !m_filter.wants(looks.at(cell)); });
            if (!its.isEmpty())
                first = numberOf(m_order.by, looks.at(its.constFirst()));
        }
        m_count += int(its.size());
        m_firsts << first;
        cells << its;
    }
    return std::exchange(m_cells, cells) != cells;
}

QList<int> GridSelection::sorted(const QList<int> &servers) const
{
    if (isPlain())
        return servers;
    QList<int> shown = servers;
    shown.removeIf([this](int server) { return m_cells.value(server).isEmpty(); });
    if (m_order == RankOrder())
        return shown;
    std::ranges::stable_sort(shown, [this](int one, int other) {
        return comesBefore(m_firsts.at(one), m_firsts.at(other), m_order.isDescending);
    });
    return shown;
}

GridArrangement::GridArrangement(GridContents &contents)
    : m_contents(contents)
{
    connect(&m_hold, &QTimer::timeout, this, &GridArrangement::settleAll);
    connect(&m_reorder, &QTimer::timeout, this, [this] {
        if (!m_hold.isActive())
            settleAll();
    });
}

bool GridArrangement::settleServers()
{
    const bool hasOtherRows = m_contents.settleRows();
    return m_groups.settle() || hasOtherRows;
}

void GridArrangement::settle()
{
    if (settleServers())
        Q_EMIT changed();
}

void GridArrangement::settleAll()
{
    const bool areOtherCells = settleCells();
    if (settleServers() || areOtherCells)
        Q_EMIT changed();
}

void GridArrangement::settleCellsSoon()
{
    if (!m_selection.isPlain() && !m_reorder.isActive())
        m_reorder.start();
}

void GridArrangement::takeState(bool areOtherServers)
{
    const QList<ServerState> states = m_contents.serverStates();
    areOtherServers ? m_groups.reset(states) : m_groups.setStates(states);
    const int cellsBefore = std::exchange(m_cellCount, m_contents.cellCount());
    if (areOtherServers || cellsBefore != m_cellCount) {
        m_contents.settleRows();
        settleCells();
        Q_EMIT changed();
        settleCellsSoon();
    } else {
        update();
    }
}

void GridArrangement::update()
{
    if (!m_hold.isActive())
        settle();
    settleCellsSoon();
}

/// Arranges everything as the user has just asked for: even what stands where it stood may be open now.
void GridArrangement::arrange()
{
    settleCells();
    settleServers();
    Q_EMIT changed();
}

void GridArrangement::setOrder(ServerGroups::Order order)
{
    m_groups.setOrder(order);
    settle();
}

bool GridArrangement::setFolded(int server, bool folded)
{
    if (!m_groups.canFold() || m_selection.hasFilter() || isFolded(server) == folded)
        return false;
    m_groups.setFolded(server, folded);
    Q_EMIT changed();
    return true;
}

QList<DeviceGridGeometry::Block> GridArrangement::blocks() const
{
    return listOf(m_selection.sorted(m_groups.shown()), [&](int server) {
        return DeviceGridGeometry::Block{server, m_selection.cells(server), isFolded(server)};
    });
}

QList<int> GridArrangement::processesOf(const GridItem &item) const
{
    if (!item.isHeading() || !m_selection.hasFilter())
        return m_contents.processesOf(item);
    QList<int> processes;
    for (const int cell : m_selection.cells(item.server))
        processes += m_contents.processesOf({item.server, cell});
    return processes;
}

} // namespace rankdeck
