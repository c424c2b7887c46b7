#pragma once

#include "launch/plan/launchplan.h"
#include "run/samples/nodehistory.h"
#include "run/samples/nodesample.h"

#include <cmath>

namespace rankdeck
{

/// What the first node of a plan is like, each of its processes having a chip: logical id r is that of rank
/// r. Rank r's AI cores are r percent busier than `busy`.
inline NodeSample handMadeSample(const LaunchPlan &plan, int busy, const QDateTime &time)
{
    NodeSample sample;
    sample.node = plan.processes.front().node;
    sample.time = time;
    DeviceReading reading;
    reading.source = DeviceSource::Kind::NpuSmi;
    reading.time = time;
    for (int process = 0; process < int(plan.processes.size()); ++process) {
        DeviceSample chip;
        chip.ids.logical = LogicalDeviceId(process);
        chip.ids.physical = PhysicalDeviceId(process);
        chip.ids.card = CardId(process + 1);
        chip.ids.chip = ChipId(0);
        chip.ids.bus = BusId{u"0000:C%1:00.0"_s.arg(process)};
        chip.name = u"910B3"_s;
        chip.health = DeviceHealth::Ok;
        chip.healthWord = u"OK"_s;
        chip.rates.aiCore = std::min(100, busy + process);
        chip.hbm = {1024 * (10 + process), 65536};
        chip.temperatureC = 40 + process;
        chip.powerW = 300.5;
        chip.processes = QList<DeviceProcess>{{4000 + process, u"python"_s, 9000, {}}};
        reading.samples << chip;
        DeviceUser own{chip.processes->first(), 4000 + process, process, u"me"_s};
        sample.users << QList<DeviceUser>{own};
        sample.chips.insert(process, process);
        sample.loads.insert(process, TreeLoad{3, qint64(2) << 30, 150.0 + process, 3e6, 2e5});
    }
    sample.devices = reading;
    return sample;
}

} // namespace rankdeck
