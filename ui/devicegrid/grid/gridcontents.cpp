#include "devicegrid/grid/gridcontents.h"

#include "launch/plan/launchplan.h"

namespace rankdeck
{

constexpr int stuckSeverity = 1;
constexpr int chosenSeverity = 2;

/// Returns 0 for the worst, more for better ones.
static int severity(RankPhase phase, Tone tone)
{
    const QList<RankPhase> worstFirst{RankPhase::Failed,  RankPhase::Unknown, RankPhase::Ended,
                                      RankPhase::Running, RankPhase::Writing, RankPhase::Waiting,
                                      RankPhase::Stopped, RankPhase::Exited};
    // The rank runs but makes no progress.
    if (tone == Tone::Caution)
        return stuckSeverity;
    const int place = int(worstFirst.indexOf(phase));
    return place == 0 ? 0 : chosenSeverity + place;
}

void ChosenRanks::toggle(const QList<int> &processes)
{
    const QSet<int> them(processes.cbegin(), processes.cend());
    if (containsAll(processes) && m_processes.size() > them.size())
        m_processes.subtract(them);
    else
        m_processes.unite(them);
}

QList<int> ChosenRanks::list() const
{
    QList<int> processes(m_processes.cbegin(), m_processes.cend());
    std::ranges::sort(processes);
    return processes;
}

bool GridContents::setState(const RunState &state)
{
    const bool isOther = state.directory != m_state.directory;
    if (isOther || state.attempt != m_state.attempt) {
        m_lastLines.clear();
        m_progress.clear();
        m_steps.clear();
        m_farthestStep = 0;
        m_findings.clear();
    }
    if (isOther) {
        m_chosen.clear();
        m_samples.clear();
        m_ages = {};
        m_hasLoads = false;
        m_mostMemory = 0;
    }
    const bool isReplanned = isOther || state.plan != m_state.plan;
    m_state = state;
    m_isAnyHeld = state.isAnyHeld();
    const auto before = m_servers.size();
    if (isReplanned)
        placePlan(state.plan);
    m_summaries.clear();
    for (const DeviceServer &server : std::as_const(m_servers))
        m_summaries.append(summaryOf(server, m_state));
    noteProblems();
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

void GridContents::setSamples(const RunSamples &samples, const QDateTime &now)
{
    m_samples = samples;
    m_ages.take(samples, now);
    for (const int process : samples.processes()) {
        const std::optional<TreeLoad> &load = samples.of(process)->load;
        m_hasLoads = m_hasLoads || load;
        m_mostMemory = std::max(m_mostMemory, load ? double(load->residentBytes) : 0);
    }
    noteProblems();
}

void GridContents::noteProblems()
{
    // A single server has no heading for it.
    const bool isShown = isLive(m_state.phase) && m_servers.size() > 1;
    for (int server = 0; server < m_servers.size(); ++server) {
        QString problem;
        for (const PlacedDevice &device : m_servers.at(server).devices) {
            if (!isShown || device.process < 0)
                continue;
            const QString &its = m_state.plan->processes.at(size_t(device.process)).node;
            if (const auto known = m_samples.problems().find(its); known != m_samples.problems().end())
                problem = known->sentence();
        }
        m_summaries[server].problem = problem;
    }
}

bool GridContents::settleRows()
{
    SampleRows rows;
    if (isLive(m_state.phase) && m_shownSamples != ShownSamples::Neither) {
        const bool hasDevices = m_samples.hasDevices();
        rows.devices = hasDevices && m_shownSamples != ShownSamples::Processes;
        rows.processes = m_hasLoads && (!hasDevices || m_shownSamples != ShownSamples::Devices);
    }
    return std::exchange(m_rows, rows) != rows;
}

KnownSample GridContents::knownSample(int process, const QDateTime &now) const
{
    KnownSample known{m_samples.of(process), {}, {}, {}};
    if (!known.sample)
        return known;
    known.deviceOldSince = m_ages.deviceOldSince(process, now);
    known.loadOldSince = m_ages.loadOldSince(process, now);
    known.recent = m_samples.recent(process);
    return known;
}

DeviceCell GridContents::cell(const GridItem &item, const QDateTime &now) const
{
    const PlacedDevice &device = m_servers.at(item.server).devices.at(item.cell);
    DeviceCell cell = deviceCell(device, m_state, lastLine(device.process), now,
                                 m_progress.value(device.process), m_findings.value(device.process));
    if (device.process < 0)
        return cell;
    const KnownSample known = knownSample(device.process, now);
    cell.hasAlarm = !m_state.deviceAlarm(device.process).isEmpty();
    cell.samples = sampleLines(known, m_rows);
    if (known.sample && known.sample->collective && isLive(m_state.phase)) {
        // Beside how far it is; one that others wait for has a sign.
        QString &words = cell.lines[2].left;
        const QString sign = m_samples.isBehind(device.process) ? u"! "_s : QString();
        words = (words.isEmpty() ? QString() : words + u"  "_s) + sign + known.sample->collective->text();
    }
    cell.note = sampleNote(isLive(m_state.phase) ? known : KnownSample(), m_state.deviceAlarm(device.process),
                           m_state.plan->processes.at(size_t(device.process)).node);
    return cell;
}

std::optional<double> GridContents::tileValue(int process, TileColor color, const QDateTime &now) const
{
    if (color == TileColor::StepLag) {
        const auto step = m_steps.constFind(process);
        return step == m_steps.constEnd() ? std::nullopt : std::optional(double(m_farthestStep - *step));
    }
    const RunSamples::Sample *const sample = m_samples.of(process);
    const bool isOfDevice = color != TileColor::Cpu && color != TileColor::Memory;
    if (!sample || !isLive(m_state.phase) || (isOfDevice ? !sample->device : !sample->load) ||
        (isOfDevice ? m_ages.deviceOldSince(process, now) : m_ages.loadOldSince(process, now)).isValid())
        return std::nullopt;
    switch (color) {
    case TileColor::AiCore:
        return sample->busyPercent() ? std::optional<double>(*sample->busyPercent()) : std::nullopt;
    case TileColor::Hbm:
        return sample->memory().percent();
    case TileColor::Temperature:
        return sample->device->temperatureC ? std::optional<double>(*sample->device->temperatureC)
                                            : std::nullopt;
    case TileColor::Cpu:
        return sample->load->cpuPercent;
    default:
        return double(sample->load->residentBytes);
    }
}

RankTile GridContents::tile(const GridItem &item, TileColor color, const TileScale &scale,
                            const QDateTime &now) const
{
    const int process = processOf(item);
    RankTile tile = rankTile(m_state, process, m_isAnyHeld);
    if (color != TileColor::State && tile.isOurs)
        tile.step = scale.step(tileValue(process, color, now));
    return tile;
}

TileKinds GridContents::tileKinds() const
{
    TileKinds kinds;
    for (int process = 0; m_state.stateOf(process); ++process)
        kinds.add(rankTile(m_state, process, m_isAnyHeld));
    return kinds;
}

RankLook GridContents::look(const GridItem &item, const QDateTime &now) const
{
    const DeviceServer &server = m_servers.at(item.server);
    const PlacedDevice &device = server.devices.at(item.cell);
    const DeviceCell cell = this->cell(item, now);
    RankLook look;
    look.place = indexOfCell(item);
    QStringList words{server.name};
    for (const DeviceCell::Line &line : cell.lines)
        words << line.left << line.right;
    look.text = words.join('\n'_L1);
    if (device.process < 0)
        return look;
    const ProcessPlan &plan = m_state.plan->processes.at(size_t(device.process));
    if (plan.role == Role::Worker)
        look.rank = plan.rank.value;
    look.text += '\n'_L1 + plan.node;
    const auto index = size_t(device.process);
    const RankState rank = index < m_state.ranks.size() ? m_state.ranks[index] : RankState();
    look.states = cell.lines[0].right.split(' '_L1) << phaseWord(rank.phase);
    look.severity =
        m_samples.isBehind(cell.process) ? stuckSeverity : severity(m_state.shownPhase(rank), cell.tone);
    if (m_chosen.contains(device.process))
        look.severity = std::min(*look.severity, chosenSeverity);
    look.alarm = m_state.deviceAlarm(device.process);
    if (const KnownSample known = knownSample(device.process, now); known.sample)
        look.sample = withoutOld(*known.sample, known.deviceOldSince, known.loadOldSince);
    return look;
}

GridItem GridContents::itemOfCell(int index) const
{
    if (index < 0 || index >= m_cellCount)
        return {};
    const auto after = std::ranges::upper_bound(m_firstCells, index);
    const int server = int(after - m_firstCells.cbegin()) - 1;
    return {server, index - m_firstCells.at(server)};
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
