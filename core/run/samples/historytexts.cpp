#include "run/samples/historytexts.h"

#include "base/listcomma.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "run/samples/loadhistory.h"
#include "run/samples/nodehistory.h"

#include <QFileInfo>
#include <QIODevice>
#include <QLocale>
#include <QSet>

#include <algorithm>
#include <set>

namespace rankdeck
{

namespace
{

/// The processes of a node by the index of their chip.
QMap<qsizetype, int> processesOf(const LaunchPlan &plan, const QString &node, const DeviceHistory &history,
                                 qsizetype chips)
{
    QMap<qsizetype, int> processes;
    for (std::size_t process = 0; process < plan.processes.size(); ++process) {
        if (plan.processes[process].node != node)
            continue;
        if (const auto chip = chipOf(static_cast<int>(process), plan.processes[process], history, chips))
            processes.insert(*chip, static_cast<int>(process));
    }
    return processes;
}

/// Returns an empty text for the scheduler, and for no process.
QByteArray rankText(const LaunchPlan &plan, int process)
{
    const auto index = static_cast<std::size_t>(process);
    const bool isRank = index < plan.processes.size() && plan.processes[index].role == Role::Worker;
    return isRank ? QByteArray::number(plan.processes[index].rank.value) : QByteArray();
}

void writeDevices(QIODevice &out, const LaunchPlan &plan, const QString &node, const DeviceHistory &history)
{
    QList<QMap<qsizetype, int>> processes;
    for (qsizetype chips = 0; chips < history.chips.size(); ++chips)
        processes << processesOf(plan, node, history, chips);
    const QByteArray noLoad(LoadHistory::csvHeading().count(',') + 1, ',');
    for (const DeviceMoment &moment : history.moments) {
        for (qsizetype chip = 0; chip < moment.points.size(); ++chip)
            out.write(csvCell(node) + ',' + rankText(plan, processes.at(moment.chips).value(chip, -1)) + ',' +
                      history.csvRow(moment, chip) + noLoad + '\n');
    }
}

void writeLoads(QIODevice &out, const LaunchPlan &plan, const QString &node, const LoadHistory &history)
{
    const QByteArray noDevice(DeviceHistory::csvHeading().count(','), ',');
    for (const LoadMoment &moment : history.moments) {
        for (qsizetype index = 0; index < moment.points.size(); ++index)
            out.write(csvCell(node) + ',' + rankText(plan, history.processes.at(moment.processes).at(index)) +
                      ',' + moment.time.toString(Qt::ISODateWithMs).toUtf8() + noDevice + ',' +
                      LoadHistory::csvValues(moment.points.at(index)) + '\n');
    }
}

constexpr qsizetype mostNodes = 16;
constexpr qsizetype mostLines = 16;

struct Mean {
    double sum = 0;
    qint64 count = 0;

    void add(const std::optional<int> &value)
    {
        sum += value.value_or(0);
        count += value ? 1 : 0;
    }
    int value() const { return count == 0 ? 0 : qRound(sum / static_cast<double>(count)); }
};

/// The sums of one device or process.
struct Sum {
    Sentence name;
    std::optional<qint64> mostMb; ///< HBM, or DDR; for a process its resident memory.
    std::optional<qint64> ofMb;
    std::optional<int> hottest;
    Mean busy;
    bool isAiCore = false; ///< `busy` is that of AI cores; else of the chip as a whole, or of processors.
    bool isProcess = false;
};

QString mb(qint64 amount)
{
    return QLocale::c().toString(amount);
}

template <typename Number>
void raise(std::optional<Number> &most, const std::optional<Number> &value)
{
    if (value)
        most = std::max(most.value_or(*value), *value);
}

/// Returns the number by which a chip is named.
int deviceOf(const DeviceHistory &history, qsizetype chips, qsizetype chip)
{
    const auto &logical = history.chips[chips][chip].ids.logical;
    return logical ? logical->value : static_cast<int>(chip);
}

/// Returns the ranks of a node by the device that they were on, as far as known.
QMap<int, std::set<int>> ranksByDevice(const DeviceHistory &history, const LaunchPlan &plan,
                                       const QString &node)
{
    QMap<int, std::set<int>> ranks;
    for (std::size_t index = 0; index < plan.processes.size(); ++index) {
        const ProcessPlan &process = plan.processes[index];
        if (process.node != node || process.role != Role::Worker)
            continue;
        for (qsizetype chips = 0; chips < history.chips.size(); ++chips) {
            if (const auto chip = chipOf(static_cast<int>(index), process, history, chips))
                ranks[deviceOf(history, chips, *chip)].insert(process.rank.value);
        }
    }
    return ranks;
}

/// "rank 3", "ranks 3,4".
Sentence rankWords(const std::set<int> &ranks)
{
    const QStringList numbers = listOf(ranks, [](int rank) { return QString::number(rank); });
    return Sentence::tr("ranks %1", "rank %1", static_cast<int>(ranks.size())).arg(numbers.join(','_L1));
}

void addPoint(Sum &sum, const DevicePoint &point)
{
    raise(sum.mostMb, point.hbmUsedMb ? point.hbmUsedMb : point.ddrUsedMb);
    raise(sum.hottest, point.temperatureC);
    sum.isAiCore = sum.isAiCore || point.aiCorePercent;
    sum.busy.add(point.aiCorePercent ? point.aiCorePercent : point.npuPercent);
}

void addDevices(QList<Sum> &sums, const DeviceHistory &history, const LaunchPlan &plan, const QString &node,
                bool isOnly)
{
    QMap<int, Sum> byDevice;
    for (const DeviceMoment &moment : history.moments) {
        const QList<DeviceSample> &chips = history.chips[moment.chips];
        for (qsizetype chip = 0; chip < chips.size(); ++chip) {
            Sum &sum = byDevice[deviceOf(history, moment.chips, chip)];
            const auto &memory = chips[chip].hbm.total ? chips[chip].hbm : chips[chip].ddr;
            sum.ofMb = memory.total;
            addPoint(sum, moment.points[chip]);
        }
    }
    const QMap<int, std::set<int>> ranks = ranksByDevice(history, plan, node);
    for (auto device = byDevice.begin(); device != byDevice.end(); ++device) {
        const bool isOfRun = ranks.contains(device.key());
        if (!isOfRun && !ranks.isEmpty())
            continue;
        device->name = isOnly ? Sentence::tr("Device %1").arg(device.key())
                              : Sentence::tr("%1, device %2").arg(node, QString::number(device.key()));
        if (isOfRun)
            device->name = inBrackets(device->name, rankWords(ranks[device.key()]));
        sums << *device;
    }
}

void addProcesses(QList<Sum> &sums, const LoadHistory &history, const LaunchPlan &plan)
{
    QMap<int, Sum> byProcess;
    for (const LoadMoment &moment : history.moments) {
        const QList<int> &processes = history.processes[moment.processes];
        for (qsizetype index = 0; index < processes.size(); ++index) {
            Sum &sum = byProcess[processes[index]];
            raise(sum.mostMb, moment.points[index].residentMb);
            sum.busy.add(moment.points[index].cpuPercent);
        }
    }
    for (auto process = byProcess.begin(); process != byProcess.end(); ++process) {
        const auto index = static_cast<std::size_t>(process.key());
        if (index >= plan.processes.size())
            continue;
        const ProcessPlan &planned = plan.processes[index];
        process->name = planned.role == Role::Scheduler ? Sentence::tr("Scheduler")
                        : planned.role == Role::Console ? Sentence::tr("Command")
                                                        : Sentence::tr("Rank %1").arg(planned.rank.value);
        process->isProcess = true;
        sums << *process;
    }
}

Sentence lineOf(const Sum &sum)
{
    QList<Sentence> parts;
    if (sum.mostMb && sum.isProcess)
        parts << Sentence::tr("at most %1 MB resident").arg(mb(*sum.mostMb));
    else if (sum.mostMb && sum.ofMb)
        parts << Sentence::tr("at most %1 of %2 MB of its memory").arg(mb(*sum.mostMb), mb(*sum.ofMb));
    else if (sum.mostMb)
        parts << Sentence::tr("at most %1 MB of its memory").arg(mb(*sum.mostMb));
    if (sum.busy.count > 0)
        parts << (sum.isProcess  ? Sentence::tr("%1 % of a processor on average")
                  : sum.isAiCore ? Sentence::tr("AICore %1 % on average")
                                 : Sentence::tr("busy for %1 % on average"))
                     .arg(sum.busy.value());
    if (sum.hottest)
        parts << Sentence::tr("up to %1 °C").arg(*sum.hottest);
    return parts.isEmpty() ? Sentence() : withColon(sum.name, Sentence::joined(parts, listComma()));
}

/// One line for sums that are too many for a line each.
Sentence lineOfAll(const QList<Sum> &sums)
{
    const auto byMemory = [](const Sum &one, const Sum &other) {
        return one.mostMb.value_or(-1) < other.mostMb.value_or(-1);
    };
    const auto byBusy = [](const Sum &one, const Sum &other) {
        return one.busy.value() < other.busy.value();
    };
    const Sum &fullest = *std::ranges::max_element(sums, byMemory);
    const auto [idlest, busiest] = std::minmax_element(sums.begin(), sums.end(), byBusy);
    return Sentence::tr("Of %1, most memory was used by %2. On average, least busy was %3, busiest was %4.")
        .arg(QString::number(sums.size()), lineOf(fullest), lineOf(*idlest), lineOf(*busiest));
}

} // namespace

std::optional<Error> writeSampleCsv(QIODevice &out, const QString &runDirectory, const LaunchPlan &plan,
                                    const QList<int> &processes)
{
    const QStringList nodes = sampledNodes(plan);
    QSet<QString> wanted;
    for (const int process : processes)
        wanted << plan.processes.at(static_cast<std::size_t>(process)).node;
    bool isAny = false;
    const auto begin = [&] {
        if (!std::exchange(isAny, true))
            out.write("node,rank," + DeviceHistory::csvHeading() + ',' + LoadHistory::csvHeading() + '\n');
    };
    for (qsizetype node = 0; node < nodes.size(); ++node) {
        if (!wanted.contains(nodes.at(node)))
            continue;
        if (const QString path = deviceHistoryPath(runDirectory, node); QFileInfo::exists(path)) {
            const auto history = DeviceHistory::read(path);
            if (!history)
                return history.error();
            begin();
            writeDevices(out, plan, nodes.at(node), *history);
        }
        if (const QString path = loadHistoryPath(runDirectory, node); QFileInfo::exists(path)) {
            const auto history = LoadHistory::read(path);
            if (!history)
                return history.error();
            begin();
            writeLoads(out, plan, nodes.at(node), *history);
        }
    }
    return isAny ? std::nullopt
                 : std::optional(Error{tr("no history of samples in this run"), runDirectory, {}});
}

QList<Sentence> sampleSummary(const RunState &state)
{
    if (!state.plan || hasLogsAlone(state.phase))
        return {};
    QList<Sum> devices;
    QList<Sum> processes;
    const QStringList nodes = sampledNodes(*state.plan);
    for (qsizetype place = 0; place < std::min(nodes.size(), mostNodes); ++place) {
        if (const auto history = DeviceHistory::read(deviceHistoryPath(state.directory, place)))
            addDevices(devices, *history, *state.plan, nodes[place], nodes.size() == 1);
        if (const auto history = LoadHistory::read(loadHistoryPath(state.directory, place)))
            addProcesses(processes, *history, *state.plan);
    }
    QList<Sentence> lines;
    const QList<Sum> &sums = devices.isEmpty() ? processes : devices;
    if (sums.size() > mostLines)
        return {lineOfAll(sums)};
    for (const Sum &sum : sums)
        lines << lineOf(sum);
    lines.removeIf([](const Sentence &line) { return line.isEmpty(); });
    return lines;
}

} // namespace rankdeck
