#include "run/samples/samplesummary.h"

#include "device/devicehistory.h"
#include "run/samples/loadhistory.h"
#include "run/samples/samplefiles.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMap>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qsizetype mostNodes = 16;
constexpr qsizetype mostLines = 16;

QString tr(const char *text)
{
    return QCoreApplication::translate("SampleSummary", text);
}

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

/// Of one device or process.
struct Sum {
    QString name;
    std::optional<qint64> mostMb; ///< HBM, or DDR; of a process what is resident.
    std::optional<qint64> ofMb;
    std::optional<int> hottest;
    Mean busy;
    bool isAiCore = false; ///< What is busy; else the chip as a whole, or processors.
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

/// The rank that was planned for a device; empty: none, or that is not known.
QString rankOn(const LaunchPlan &plan, const QString &node, int device)
{
    const auto found =
        std::find_if(plan.processes.begin(), plan.processes.end(), [&](const ProcessPlan &process) {
            return process.node == node && process.device == DeviceId(device) && process.role == Role::Worker;
        });
    return found == plan.processes.end() ? QString() : QString::number(found->rank.value);
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
            const auto &logical = chips[chip].ids.logical;
            const int device = logical ? logical->value : static_cast<int>(chip);
            Sum &sum = byDevice[device];
            const auto &memory = chips[chip].hbm.total ? chips[chip].hbm : chips[chip].ddr;
            sum.ofMb = memory.total;
            addPoint(sum, moment.points[chip]);
        }
    }
    for (auto device = byDevice.begin(); device != byDevice.end(); ++device) {
        const QString rank = rankOn(plan, node, device.key());
        device->name = isOnly ? tr("Device %1").arg(device.key())
                              : tr("%1, device %2").arg(node, QString::number(device.key()));
        if (!rank.isEmpty())
            device->name = tr("%1 (rank %2)").arg(device->name, rank);
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
        process->name =
            planned.role == Role::Scheduler ? tr("Scheduler") : tr("Rank %1").arg(planned.rank.value);
        process->isProcess = true;
        sums << *process;
    }
}

QString lineOf(const Sum &sum)
{
    QStringList parts;
    if (sum.mostMb && sum.isProcess)
        parts << tr("at most %1 MB resident").arg(mb(*sum.mostMb));
    else if (sum.mostMb && sum.ofMb)
        parts << tr("at most %1 of %2 MB of its memory").arg(mb(*sum.mostMb), mb(*sum.ofMb));
    else if (sum.mostMb)
        parts << tr("at most %1 MB of its memory").arg(mb(*sum.mostMb));
    if (sum.busy.count > 0)
        parts << (sum.isProcess  ? tr("%1 % of a processor on average")
                  : sum.isAiCore ? tr("AICore %1 % on average")
                                 : tr("busy for %1 % on average"))
                     .arg(sum.busy.value());
    if (sum.hottest)
        parts << tr("up to %1 °C").arg(*sum.hottest);
    return parts.isEmpty() ? QString()
                           : QStringLiteral("%1: %2").arg(sum.name, parts.join(QStringLiteral(", ")));
}

/// Too many for a line each.
QString lineOfAll(const QList<Sum> &sums)
{
    const auto byMemory = [](const Sum &one, const Sum &other) {
        return one.mostMb.value_or(-1) < other.mostMb.value_or(-1);
    };
    const auto byBusy = [](const Sum &one, const Sum &other) {
        return one.busy.value() < other.busy.value();
    };
    const Sum &fullest = *std::max_element(sums.begin(), sums.end(), byMemory);
    const auto [idlest, busiest] = std::minmax_element(sums.begin(), sums.end(), byBusy);
    return tr("Of %1, most memory was used by %2; least busy on average was %3, most %4.")
        .arg(QString::number(sums.size()), lineOf(fullest), lineOf(*idlest), lineOf(*busiest));
}

} // namespace

QStringList sampleSummary(const RunState &state)
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
    QStringList lines;
    const QList<Sum> &sums = devices.isEmpty() ? processes : devices;
    if (sums.size() > mostLines)
        return {lineOfAll(sums)};
    for (const Sum &sum : sums)
        lines << lineOf(sum);
    lines.removeAll(QString());
    return lines;
}

} // namespace rankdeck
