#pragma once

#include "run/samples/runsamples.h"

#include <QDateTime>
#include <QList>
#include <QString>

namespace rankdeck
{

/// The chip of device `number`, as `npu-smi info` would tell of it; everything that changes is another at
/// each `step`.
inline DeviceSample madeDevice(int number, int step = 0)
{
    DeviceSample device;
    device.ids.logical = LogicalDeviceId(number);
    device.ids.card = CardId(number);
    device.name = u"910B3"_s;
    device.health = DeviceHealth::Ok;
    device.healthWord = u"OK"_s;
    device.rates.aiCore = (87 + 7 * number + 13 * step) % 101;
    device.hbm = {60'006 + (211 * number + 997 * step) % 5000, 65'536};
    device.temperatureC = 45 + (18 + number + 3 * step) % 40;
    device.powerW = 90 + (222 + 11 * number + 37 * step) % 250;
    return device;
}

/// What the tree of such a process uses.
inline TreeLoad madeLoad(int number, int step = 0)
{
    TreeLoad load;
    load.processes = 9;
    load.residentBytes = (3277 + 131 * number + 173LL * step) % 9000 * 1024 * 1024;
    load.cpuPercent = 100 + (712 + 29 * number + 57 * step) % 900;
    load.readBytesPerSecond = (3.1 + number + 0.7 * (step % 9)) * 1024 * 1024;
    load.writtenBytesPerSecond = (0.2 + 0.3 * (step % 7)) * 1024 * 1024;
    return load;
}

/// A sample of `node` at `time` with a chip for each of `processes`, in their order, and their trees.
inline NodeSample madeNodeSample(const QString &node, const QList<int> &processes, const QDateTime &time,
                                 int step = 0)
{
    NodeSample sample;
    sample.node = node;
    sample.time = time;
    sample.devices = DeviceReading{};
    sample.devices->time = time;
    for (const int process : processes) {
        const int chip = int(sample.devices->samples.size());
        sample.devices->samples << madeDevice(chip, step);
        sample.users << QList<DeviceUser>();
        sample.chips.insert(process, chip);
        sample.loads.insert(process, madeLoad(chip, step));
    }
    return sample;
}

/// The same of a node without NPUs.
inline NodeSample madeLoadSample(const QString &node, const QList<int> &processes, const QDateTime &time,
                                 int step = 0)
{
    NodeSample sample = madeNodeSample(node, processes, time, step);
    sample.devices.reset();
    sample.users.clear();
    sample.chips.clear();
    return sample;
}

/// Somebody else's process.
inline DeviceUser madeStranger(qint64 pid = 4711)
{
    DeviceUser user;
    user.process = {pid, u"python"_s, 1024, {}};
    user.user = u"bob"_s;
    return user;
}

} // namespace rankdeck
