#include "devicegrid/devicecell.h"

#include "state/statewords.h"
#include "timewords.h"

#include <QCoreApplication>

#include <map>

namespace rankdeck
{

namespace
{

struct DeviceGridText {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::DeviceGrid)
};

/// A process of the plan together with what is known of it; null where the device has none.
struct Occupant {
    int process = -1;
    const ProcessPlan *plan = nullptr;
    RankState state;
};

Occupant occupant(const RunState &state, int process)
{
    const auto index = size_t(process);
    return {process, &state.plan->processes.at(index),
            index < state.ranks.size() ? state.ranks.at(index) : RankState()};
}

QString statusText(const RankState &rank)
{
    if (rank.status)
        return rank.status->text();
    return {};
}

QString elapsed(const RankState &rank, const QDateTime &now)
{
    if (!rank.started.isValid())
        return {};
    return elapsedText(rank.started.secsTo(rank.ended.isValid() ? rank.ended : now));
}

DeviceCell makeCell(const QString &title, const QString &address, const Occupant &who,
                    const QHash<int, QString> &lastLines, const QDateTime &now)
{
    DeviceCell cell;
    cell.process = who.process;
    cell.lines[0].left = title;
    cell.lines[1].left = address;
    if (who.process < 0)
        return cell;
    const RankState &rank = who.state;
    cell.tone = toneOf(rank.phase);
    cell.lines[0].right = shownWord(rank.phase);
    if (rank.pid > 0)
        cell.lines[1].right = DeviceGridText::tr("pid %1").arg(rank.pid);
    cell.lines[2] = {statusText(rank), elapsed(rank, now)};
    cell.lines[3].left = lastLines.value(who.process);
    return cell;
}

QString serverHeading(const QString &name, const QList<DeviceCell> &cells)
{
    // By tone, so that what is wrong stands first.
    std::map<int, std::pair<QString, int>> counts;
    for (const DeviceCell &cell : cells) {
        if (cell.process < 0)
            continue;
        auto &[word, count] = counts[cell.tone == Tone::Bad ? -1 : int(cell.tone)];
        word = cell.lines[0].right;
        ++count;
    }
    if (counts.empty())
        return DeviceGridText::tr("%1  (not launched here)").arg(name);
    QStringList parts;
    for (const auto &[order, part] : counts)
        parts.append(
            DeviceGridText::tr("%1 %2", "number, state: 7 running").arg(part.second).arg(part.first));
    // Logs alone do not say where they are from.
    return (name.isEmpty() ? QString() : name + QStringLiteral("  ")) + parts.join(QStringLiteral(", "));
}

QString titleOf(const ProcessPlan &plan)
{
    if (plan.role == Role::Scheduler)
        return DeviceGridText::tr("scheduler");
    if (plan.device == ProcessPlan::noDevice)
        return DeviceGridText::tr("rank %1").arg(plan.rank.value);
    return DeviceGridText::tr("rank %1  device %2").arg(plan.rank.value).arg(plan.device.value);
}

DeviceSection sectionOf(const QString &name, const RunState &state, const QList<int> &processes,
                        const QHash<int, QString> &lastLines, const QDateTime &now)
{
    DeviceSection section;
    for (const int process : processes) {
        const Occupant who = occupant(state, process);
        section.cells.append(makeCell(titleOf(*who.plan), who.plan->node, who, lastLines, now));
    }
    section.heading = serverHeading(name, section.cells);
    return section;
}

/// Of a launch without a rank table.
QList<DeviceSection> sectionsByNode(const RunState &state, const QList<int> &processes,
                                    const QHash<int, QString> &lastLines, const QDateTime &now)
{
    QStringList nodes;
    QHash<QString, QList<int>> processesOf;
    for (const int process : processes) {
        const QString &node = state.plan->processes.at(size_t(process)).node;
        if (!processesOf.contains(node))
            nodes.append(node);
        processesOf[node].append(process);
    }
    QList<DeviceSection> sections;
    for (const QString &node : std::as_const(nodes))
        sections.append(sectionOf(node, state, processesOf.value(node), lastLines, now));
    return sections;
}

} // namespace

QString DeviceCell::spoken() const
{
    QStringList parts;
    for (const Line &line : lines) {
        for (const QString &part : {line.left, line.right}) {
            if (!part.isEmpty())
                parts.append(part);
        }
    }
    if (process < 0)
        parts.append(DeviceGridText::tr("not launched here"));
    return parts.join(QStringLiteral(", "));
}

QList<DeviceSection> deviceSections(const RunState &state, const QHash<int, QString> &lastLines,
                                    const QDateTime &now)
{
    if (!state.plan)
        return {};
    std::map<int, int> processOfRank;
    QList<int> elsewhere;
    for (int process = 0; process < int(state.plan->processes.size()); ++process) {
        const ProcessPlan &plan = state.plan->processes.at(size_t(process));
        if (plan.role != Role::Worker || !processOfRank.emplace(plan.rank.value, process).second)
            elsewhere.append(process);
    }

    QList<DeviceSection> sections;
    for (const Server &server : state.plan->rankTable.servers) {
        DeviceSection section;
        for (const Device &device : server.devices) {
            Occupant who;
            QString title = DeviceGridText::tr("device %1").arg(device.deviceId.value);
            if (device.rank) {
                title = DeviceGridText::tr("rank %1  device %2")
                            .arg(device.rank->value)
                            .arg(device.deviceId.value);
                if (const auto found = processOfRank.find(device.rank->value); found != processOfRank.end()) {
                    who = occupant(state, found->second);
                    processOfRank.erase(found);
                }
            }
            section.cells.append(makeCell(title, device.deviceIp, who, lastLines, now));
        }
        section.heading = serverHeading(server.serverId, section.cells);
        sections.append(section);
    }

    for (const auto &[rank, process] : processOfRank)
        elsewhere.append(process);
    if (sections.isEmpty())
        return sectionsByNode(state, elsewhere, lastLines, now);
    if (!elsewhere.isEmpty())
        sections.append(sectionOf(DeviceGridText::tr("On no device"), state, elsewhere, lastLines, now));
    return sections;
}

} // namespace rankdeck
