// What npu-smi prints, in whole and line by line as `info watch` does, a sample as JSON, and the histories of
// a run's devices and processes, which may be somebody else's.

#include "base/fields.h"
#include "demand.h"
#include "device/history/devicehistory.h"
#include "device/npusmi/npusmireport.h"
#include "run/samples/loadhistory.h"

#include <cstdint>

using namespace rankdeck;

namespace
{

bool isPercent(const std::optional<int> &rate)
{
    return !rate || (*rate >= 0 && *rate <= 100);
}

bool isAmount(const Amount &amount)
{
    return (!amount.used || *amount.used >= 0) && (!amount.total || *amount.total > 0);
}

void check(const DeviceSample &sample)
{
    demand(isPercent(sample.rates.aiCore) && isPercent(sample.rates.npu) && isPercent(sample.rates.memory));
    demand(isAmount(sample.hbm) && isAmount(sample.ddr) && isAmount(sample.hugepages));
    demand(!sample.powerW || *sample.powerW > 0);
    demand(sample.health.has_value() == !sample.healthWord.isEmpty());
    // Told again, a sample is the same.
    demand(fromJsonText<DeviceSample>(jsonTextOf(sample)) == sample);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray text(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    const NpuSmiReport report = parseNpuSmi(text);
    demand(report.map.chips().size() <= mostChips && report.cards.size() <= mostChips);
    for (const DeviceSample &sample : report.samples)
        check(sample);
    NpuSmiWatchRows rows;
    for (const QByteArray &line : text.split('\n')) {
        if (const auto row = rows.addLine(line))
            check(*row);
    }
    if (const auto sample = fromJsonText<DeviceSample>(text))
        demand(fromJsonText<DeviceSample>(jsonTextOf(*sample)) == sample);
    if (const auto history = DeviceHistory::from(text)) {
        for (const DeviceMoment &moment : history->moments) {
            demand(moment.chips >= 0 && moment.chips < history->chips.size());
            demand(moment.points.size() == history->chips[moment.chips].size());
            for (qsizetype chip = 0; chip < moment.points.size(); ++chip)
                history->csvRow(moment, chip);
        }
    }
    if (const auto history = LoadHistory::from(text)) {
        for (const LoadMoment &moment : history->moments) {
            demand(moment.processes >= 0 && moment.processes < history->processes.size());
            demand(moment.points.size() == history->processes[moment.processes].size());
            for (const LoadPoint &point : moment.points)
                LoadHistory::csvValues(point);
        }
    }
    return 0;
}
