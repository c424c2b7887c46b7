#include "run/samples/nodesample.h"

#include "base/fields.h"
#include "base/times.h"

#include <algorithm>
#include <cmath>

namespace rankdeck
{

constexpr char sampleKey[] = "node_sample";
/// The beginning of every line, so that other lines are rejected without being parsed.
constexpr char beginning[] = "{\"node_sample\":";

namespace
{

struct ChipOfProcess {
    int process = -1;
    int chip = -1;
};

struct LoadOfProcess {
    int process = -1;
    TreeLoad load;
};

struct CollectiveOfProcess {
    int process = -1;
    LiveCollective its;
};

/// [process, chip]
void visitFields(Fields &fields, ChipOfProcess &of)
{
    const Fields::Leniently lenient(fields);
    fields.at(0, of.process);
    fields.at(1, of.chip);
}

void visitAmount(Fields &fields, qsizetype index, std::optional<double> &amount)
{
    fields.at(index, amount);
    if (fields.isReading() && amount && (!std::isfinite(*amount) || *amount < 0))
        amount.reset();
}

/// [process, processes, resident bytes, percent of a core, bytes read per second, written]
void visitFields(Fields &fields, LoadOfProcess &of)
{
    const Fields::Leniently lenient(fields);
    fields.at(0, of.process);
    fields.at(1, of.load.processes);
    fields.at(2, of.load.residentBytes);
    visitAmount(fields, 3, of.load.cpuPercent);
    visitAmount(fields, 4, of.load.readBytesPerSecond);
    visitAmount(fields, 5, of.load.writtenBytesPerSecond);
    if (fields.isReading()) {
        of.load.processes = std::max(of.load.processes, 0);
        of.load.residentBytes = std::max<qint64>(of.load.residentBytes, 0);
    }
}

/// [process, operation, group, sequence, is running]
void visitFields(Fields &fields, CollectiveOfProcess &of)
{
    {
        const Fields::Leniently lenient(fields);
        fields.at(0, of.process);
    }
    fields.at(1, of.its.operation);
    fields.at(2, of.its.group);
    fields.at(3, of.its.sequence);
    fields.at(4, of.its.isRunning);
}

} // namespace

/// Carries the NPUs and who uses them.
static void visitDevices(Fields &fields, NodeSample &sample)
{
    fields.lenient("devices", sample.devices);
    if (!sample.devices)
        return;
    fields.lenient("users", sample.users);
    QList<ChipOfProcess> chips;
    for (auto chip = sample.chips.cbegin(); chip != sample.chips.cend(); ++chip)
        chips.append({chip.key(), chip.value()});
    fields.newer("chips", chips);
    if (!fields.isReading())
        return;
    const qsizetype count = sample.devices->samples.size();
    if (sample.users.size() != count)
        sample.users.clear();
    for (const ChipOfProcess &of : std::as_const(chips)) {
        if (of.process >= 0 && of.chip >= 0 && of.chip < count)
            sample.chips.insert(of.process, of.chip);
    }
}

static void visitFields(Fields &fields, NodeSample &sample)
{
    QList<LoadOfProcess> loads;
    for (auto load = sample.loads.cbegin(); load != sample.loads.cend(); ++load)
        loads.append({load.key(), load.value()});
    QList<CollectiveOfProcess> collectives;
    for (auto its = sample.collectives.cbegin(); its != sample.collectives.cend(); ++its)
        collectives.append({its.key(), its.value()});
    qint64 time = sample.time.toMSecsSinceEpoch();
    fields("node", sample.node);
    fields("time", time);
    visitDevices(fields, sample);
    fields.optional("problem", sample.problem);
    fields.optional("awaits_devices", sample.isAwaitingDevices);
    fields("loads", loads);
    if (fields.isReading() || !collectives.isEmpty())
        fields.newer("collectives", collectives);
    if (!fields.isReading())
        return;
    sample.time = utcTime(time);
    for (const LoadOfProcess &of : std::as_const(loads)) {
        if (of.process >= 0)
            sample.loads.insert(of.process, of.load);
    }
    for (const CollectiveOfProcess &of : std::as_const(collectives)) {
        if (of.process >= 0)
            sample.collectives.insert(of.process, of.its);
    }
}

QByteArray NodeSample::toLine() const
{
    return keyedLine(sampleKey, *this);
}

std::optional<NodeSample> NodeSample::fromLine(const QByteArray &line)
{
    if (!line.startsWith(beginning) || line.size() > longestLine)
        return std::nullopt;
    return fromKeyedLine<NodeSample>(sampleKey, line);
}

} // namespace rankdeck
