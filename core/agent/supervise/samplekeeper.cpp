#include "agent/supervise/samplekeeper.h"

#include "base/listcomma.h"
#include "device/sample/devicemap.h"
#include "launch/plan/launchplan.h"
#include "run/samples/nodehistory.h"

#include <QFile>

#include <algorithm>

#include <sys/stat.h>

namespace rankdeck
{

/// For each node; a process that comes back may be reported twice, so that the list stays bounded.
constexpr qsizetype mostToldStrangers = 1000;
/// Characters of a name from npu-smi, which a process chooses itself.
constexpr qsizetype longestName = 100;

/// The process that runs on a chip; -1: none of the run's.
static int processOn(const DeviceIds &chip, const std::optional<DeviceReading> &reading,
                     const QMap<int, int> &chips)
{
    for (auto each = chips.begin(); reading && each != chips.end(); ++each) {
        if (reading->samples.value(each.value()).ids.isSameChip(chip))
            return each.key();
    }
    return -1;
}

/// Returns true if the alarm says that a fault is over, and the chip has no other known fault.
static bool isAllWell(const DeviceAlarm &alarm, const DeviceReading &reading)
{
    using Kind = DeviceAlarm::Kind;
    const bool isOver = alarm.kind == Kind::Returned || alarm.kind == Kind::Better ||
                        alarm.kind == Kind::LinkUp || alarm.kind == Kind::Well;
    return isOver &&
           std::any_of(reading.samples.begin(), reading.samples.end(), [&](const DeviceSample &chip) {
               return chip.ids.isSameChip(alarm.ids) && isWell(chip);
           });
}

static QString rankOf(const LaunchPlan &plan, int process)
{
    return QString::number(plan.processes[static_cast<std::size_t>(process)].rank.value);
}

/// Returns the sentence, after the node's name if the run has others.
static Sentence onNode(const NodeSample &sample, const LaunchPlan &plan, const Sentence &sentence)
{
    const bool isOnly = std::all_of(plan.processes.begin(), plan.processes.end(),
                                    [&](const ProcessPlan &each) { return each.node == sample.node; });
    return isOnly ? sentence : withColon(sample.node, sentence);
}

static Sentence nameOf(const DeviceUser &user)
{
    const QString name = user.process.name.simplified().left(longestName);
    QList<Sentence> details;
    if (user.ownPid > 0 || user.process.pid > 0)
        details << Sentence::tr("pid %1").arg(user.ownPid > 0 ? user.ownPid : user.process.pid);
    if (!user.user.isEmpty())
        details << Sentence(user.user);
    if (user.process.memoryMb)
        details << Sentence::tr("%1 MB").arg(*user.process.memoryMb);
    return inBrackets(name.isEmpty() ? Sentence::tr("a process") : Sentence(name),
                      Sentence::joined(details, listComma()));
}

/// Some thousand moments, which is more than a plot shows; and it goes into a bundle whole.
constexpr qint64 historyLimit = 1'000'000;

bool SampleAlarms::mayTell(Node &node, qint64 now)
{
    const double minutes = std::max(0.0, static_cast<double>(now - node.filledAt) / 60'000);
    node.filledAt = now;
    node.left = std::min<double>(atOnce, node.left + minutes * aMinute);
    return node.left >= 1;
}

QList<RunEvent> SampleAlarms::alarms(Node &node, const NodeSample &sample, const LaunchPlan &plan)
{
    QList<RunEvent> found;
    const DeviceReading now = node.told ? withKnown(*node.told, *sample.devices) : *sample.devices;
    for (const DeviceAlarm &alarm : alarmsBetween(node.told.value_or(DeviceReading()), now)) {
        int process = processOn(alarm.ids, sample.devices, sample.chips);
        if (process < 0) // The chip has vanished.
            process = processOn(alarm.ids, node.told, node.chips);
        const Sentence text =
            onNode(sample, plan,
                   process < 0
                       ? alarm.sentence()
                       : Sentence::tr("%1 Rank %2 runs on it.").arg(alarm.sentence(), rankOf(plan, process)));
        found << RunEvent::now(isAllWell(alarm, now) ? AnyEvent(events::DeviceWell{process, text})
                                                     : events::DeviceAlarm{process, text},
                               sample.node);
    }
    node.told = now;
    node.chips = sample.chips;
    return found;
}

/// Returns the processes that two readings in a row have: one that has just ended may have been the run's.
QList<RunEvent> SampleAlarms::strangers(Node &node, const NodeSample &sample, const LaunchPlan &plan)
{
    QList<RunEvent> found;
    QList<Seen> now;
    for (auto chip = sample.chips.begin(); chip != sample.chips.end(); ++chip) {
        if (!sample.loads.contains(chip.key()))
            continue; // The rank does not run.
        const int device = programNumber(sample.devices->samples, chip.value());
        for (const DeviceUser &user : sample.users.value(chip.value())) {
            const Seen seen{user.process.pid, device};
            if (!user.isForeign() || now.contains(seen))
                continue;
            now << seen;
            if (!node.strangers.contains(seen) || node.toldStrangers.contains(seen))
                continue;
            node.toldStrangers << seen;
            const Sentence text =
                Sentence::tr("Device %1 of rank %2 is also used by %3, which is not part of this run.")
                    .arg(QString::number(device), rankOf(plan, chip.key()), nameOf(user));
            found << RunEvent::now(events::Note{onNode(sample, plan, text), chip.key()}, sample.node);
        }
    }
    node.strangers = now;
    if (node.toldStrangers.size() > mostToldStrangers)
        node.toldStrangers = node.toldStrangers.mid(node.toldStrangers.size() - mostToldStrangers);
    return found;
}

QList<RunEvent> SampleAlarms::take(const NodeSample &sample, const LaunchPlan &plan, qint64 now)
{
    Node &node = m_nodes[sample.node];
    if (!sample.devices || !mayTell(node, now))
        return {};
    const auto count = static_cast<int>(plan.processes.size());
    if (!sample.chips.isEmpty() && sample.chips.lastKey() >= count)
        return {};
    QList<RunEvent> found;
    if (std::exchange(node.time, sample.devices->time) != sample.devices->time)
        found = alarms(node, sample, plan) + strangers(node, sample, plan);
    node.left = std::max<double>(-atOnce, node.left - static_cast<double>(found.size()));
    return found;
}

SampleKeeper::SampleKeeper(QString runDirectory)
    : m_directory(std::move(runDirectory))
{
}

std::optional<Error> SampleKeeper::keep(const NodeSample &sample, qsizetype place)
{
    auto &node = m_nodes[sample.node];
    if (!node.loads) {
        mkdir(QFile::encodeName(samplesFolder(m_directory)).constData(), 0700);
        node.loads = std::make_unique<LoadHistoryWriter>(loadHistoryPath(m_directory, place), historyLimit);
        node.devices =
            std::make_unique<DeviceHistoryWriter>(deviceHistoryPath(m_directory, place), historyLimit);
    }
    auto error = node.loads->add(sample);
    // Several samples may bring the same reading.
    if (sample.devices && sample.devices->time != node.kept) {
        node.kept = sample.devices->time;
        if (const auto problem = node.devices->add(*sample.devices, sample.chips))
            error = problem;
    }
    return error;
}

QList<RunEvent> SampleKeeper::take(const NodeSample &sample, const LaunchPlan &plan, qint64 now)
{
    const QStringList nodes = sampledNodes(plan);
    const qsizetype place = nodes.indexOf(sample.node);
    if (place < 0)
        return {};
    QList<RunEvent> found = m_alarms.take(sample, plan, now);
    const auto error = keep(sample, place);
    if (error && !std::exchange(m_hasComplained, true))
        found << RunEvent::now(
            events::Note{Sentence::tr("The history of samples has gaps: %1").arg(error->sentence())});
    return found;
}

} // namespace rankdeck
