#include "devicegrid/gridselection.h"

#include <algorithm>

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
    std::stable_sort(shown.begin(), shown.end(), [this](int one, int other) {
        return comesBefore(m_firsts.at(one), m_firsts.at(other), m_order.isDescending);
    });
    return shown;
}

} // namespace rankdeck
