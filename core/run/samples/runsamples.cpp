#include "run/samples/runsamples.h"

#include "device/sampling/devicealarm.h"

#include <algorithm>

namespace rankdeck
{

static QList<DeviceUser> foreignUsers(const QList<DeviceUser> &users)
{
    QList<DeviceUser> foreign;
    std::copy_if(users.begin(), users.end(), std::back_inserter(foreign),
                 [](const DeviceUser &user) { return user.isForeign(); });
    return foreign;
}

void SampleAge::take(const QDateTime &made, const QDateTime &now)
{
    if (made == m_made)
        return;
    if (m_made.isValid())
        m_intervalMs = std::clamp(m_made.msecsTo(made), leastIntervalMs, mostIntervalMs);
    m_made = made;
    m_came = now;
}

QDateTime SampleAge::oldSince(const QDateTime &now) const
{
    const bool isOld = m_made.isValid() && m_came.msecsTo(now) > mostIntervals * m_intervalMs;
    return isOld ? m_made : QDateTime();
}

void SampleAges::take(const RunSamples &samples, const QDateTime &now)
{
    m_ages.removeIf([&](const std::pair<const int &, Ages &> &each) { return !samples.of(each.first); });
    for (const int process : samples.processes()) {
        const RunSamples::Sample &sample = *samples.of(process);
        Ages &ages = m_ages[process];
        if (sample.device)
            ages.device.take(sample.deviceTime, now);
        if (sample.load)
            ages.load.take(sample.time, now);
    }
}

QDateTime SampleAges::deviceOldSince(int process, const QDateTime &now) const
{
    return m_ages.value(process).device.oldSince(now);
}

QDateTime SampleAges::loadOldSince(int process, const QDateTime &now) const
{
    return m_ages.value(process).load.oldSince(now);
}

RunSamples::Sample withoutOld(RunSamples::Sample sample, const QDateTime &deviceOldSince,
                              const QDateTime &loadOldSince)
{
    if (deviceOldSince.isValid()) {
        sample.device.reset();
        sample.foreign.clear();
        sample.users.clear();
    }
    if (loadOldSince.isValid()) {
        sample.load.reset();
        sample.collective.reset();
    }
    return sample;
}

bool RunSamples::hasInventedDevices() const
{
    return std::any_of(m_samples.begin(), m_samples.end(), [](const Known &known) {
        return known.sample.device && known.sample.device->isInvented;
    });
}

std::optional<int> RunSamples::Sample::busyPercent() const
{
    return device ? rankdeck::busyPercent(*device) : std::nullopt;
}

Amount RunSamples::Sample::memory() const
{
    if (!device)
        return {};
    return device->hbm.total ? device->hbm : device->ddr;
}

std::optional<qsizetype> RunSamples::Sample::untoldUsers() const
{
    if (!device || !device->processes)
        return std::nullopt;
    return std::max<qsizetype>(0, device->processes->size() - users.size());
}

std::optional<qsizetype> RunSamples::Sample::foreignCount() const
{
    // Known foreign users are reported even if there may be more.
    return foreign.isEmpty() && untoldUsers() != 0 ? std::nullopt : std::optional(foreign.size());
}

QList<int> RunSamples::take(const NodeSample &sample)
{
    if (sample.problem)
        m_problems.insert(sample.node, *sample.problem);
    else
        m_problems.remove(sample.node);
    QList<int> processes = sample.loads.keys();
    for (auto chip = sample.chips.begin(); chip != sample.chips.end(); ++chip) {
        if (sample.devices && chip.value() >= 0 && chip.value() < sample.devices->samples.size() &&
            !sample.loads.contains(chip.key()))
            processes << chip.key();
    }
    for (const int process : std::as_const(processes)) {
        Sample now;
        now.time = sample.time;
        if (const auto load = sample.loads.find(process); load != sample.loads.end())
            now.load = *load;
        if (const auto its = sample.collectives.find(process); its != sample.collectives.end())
            now.collective = *its;
        const int chip = sample.chips.value(process, -1);
        if (sample.devices && chip >= 0 && chip < sample.devices->samples.size()) {
            now.device = sample.devices->samples.at(chip);
            now.deviceTime = sample.devices->time;
            now.users = sample.users.value(chip);
            now.foreign = foreignUsers(now.users);
            m_hasDevices = true;
        }
        Known &known = m_samples[process];
        // A repeated reading does not show the present load.
        const bool isRepeated =
            now.device && known.sample.device && known.sample.deviceTime == now.deviceTime;
        known.sample = now;
        if (const auto busy = now.busyPercent(); busy && !isRepeated)
            add(known, now.deviceTime, *busy);
        else if (!now.device && now.load && now.load->cpuPercent)
            add(known, now.time, *now.load->cpuPercent);
    }
    findBehind();
    return processes;
}

void RunSamples::findBehind()
{
    QMap<int, LiveCollective> collectives;
    for (auto known = m_samples.cbegin(); known != m_samples.cend(); ++known) {
        if (known->sample.collective)
            collectives.insert(known.key(), *known->sample.collective);
    }
    const QList<int> behind = ranksBehind(collectives);
    m_behind = QSet<int>(behind.begin(), behind.end());
}

void RunSamples::add(Known &known, const QDateTime &time, double busy)
{
    const qint64 number = time.toSecsSinceEpoch() / recentSeconds;
    QList<Stretch> &stretches = known.stretches;
    const auto place = std::ranges::lower_bound(stretches, number, {}, &Stretch::number);
    if (place != stretches.end() && place->number == number)
        place->most = std::max(place->most, busy);
    else
        stretches.insert(place, Stretch{number, busy});
    while (stretches.constFirst().number <= stretches.constLast().number - mostRecent)
        stretches.removeFirst();
}

void RunSamples::forget(int process)
{
    const auto known = m_samples.find(process);
    if (known == m_samples.end())
        return;
    known->sample.load.reset();
    known->sample.collective.reset();
    findBehind();
    known->sample.foreign.clear();
    known->sample.users.clear();
    if (known->sample.device)
        known->sample.device->processes.reset();
}

const RunSamples::Sample *RunSamples::of(int process) const
{
    const auto known = m_samples.find(process);
    return known == m_samples.end() ? nullptr : &known->sample;
}

QList<std::optional<double>> RunSamples::recent(int process) const
{
    QList<std::optional<double>> values;
    const auto known = m_samples.find(process);
    if (known == m_samples.end() || known->stretches.isEmpty())
        return values;
    const qint64 first = known->stretches.constFirst().number;
    values.resize(known->stretches.constLast().number - first + 1);
    for (const Stretch &stretch : known->stretches)
        values[stretch.number - first] = stretch.most;
    return values;
}

} // namespace rankdeck
