#include "devicegrid/gridcontents.h"

#include <algorithm>

namespace rankdeck
{

bool GridContents::setState(const RunState &state)
{
    const bool isOther = state.directory != m_state.directory;
    if (isOther || state.attempt != m_state.attempt) {
        m_lastLines.clear();
        m_progress.clear();
    }
    const bool isReplanned = isOther || state.plan != m_state.plan;
    m_state = state;
    const auto before = m_servers.size();
    if (isReplanned)
        placePlan(state.plan);
    m_summaries.clear();
    for (const DeviceServer &server : std::as_const(m_servers))
        m_summaries.append(summaryOf(server, m_state));
    return isOther || m_servers.size() != before;
}

void GridContents::placePlan(const std::shared_ptr<const LaunchPlan> &plan)
{
    m_servers = plan ? deviceServers(*plan) : QList<DeviceServer>();
    m_firstCells.clear();
    m_itemOfProcess.clear();
    m_cellCount = 0;
    for (int server = 0; server < m_servers.size(); ++server) {
        const QList<PlacedDevice> &devices = m_servers.at(server).devices;
        m_firstCells.append(m_cellCount);
        m_cellCount += int(devices.size());
        for (int cell = 0; cell < devices.size(); ++cell) {
            if (devices.at(cell).process >= 0)
                m_itemOfProcess.insert(devices.at(cell).process, {server, cell});
        }
    }
}

QList<ServerState> GridContents::serverStates() const
{
    QList<ServerState> states;
    for (const ServerSummary &summary : m_summaries)
        states.append(summary.state);
    return states;
}

DeviceCell GridContents::cell(const GridItem &item) const
{
    const PlacedDevice &device = m_servers.at(item.server).devices.at(item.cell);
    return deviceCell(device, m_state, lastLine(device.process), QDateTime::currentDateTimeUtc(),
                      m_progress.value(device.process));
}

GridItem GridContents::itemOfCell(int index) const
{
    if (index < 0 || index >= m_cellCount)
        return {};
    const auto after = std::upper_bound(m_firstCells.cbegin(), m_firstCells.cend(), index);
    const int server = int(after - m_firstCells.cbegin()) - 1;
    return {server, index - m_firstCells.at(server)};
}

int GridContents::indexOfCell(const GridItem &item) const
{
    return item.cell < 0 ? -1 : m_firstCells.at(item.server) + item.cell;
}

QList<int> GridContents::processesOf(const GridItem &item) const
{
    QList<int> processes;
    if (!item.isValid())
        return processes;
    const QList<PlacedDevice> &devices = m_servers.at(item.server).devices;
    for (const PlacedDevice &device : item.isHeading() ? devices : devices.mid(item.cell, 1)) {
        if (device.process >= 0)
            processes.append(device.process);
    }
    return processes;
}

} // namespace rankdeck
