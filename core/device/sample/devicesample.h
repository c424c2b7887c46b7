#pragma once

#include "base/sentence.h"
#include "base/strongnumber.h"

#include <algorithm>
#include <optional>

namespace rankdeck
{

class Fields;

// An NPU has many numbers, and none may replace another: a container sees its one card as logical id 0.

/// The number that programs use (ASCEND_RT_VISIBLE_DEVICES of a host): 0, 1, 2 … of the devices that are
/// visible here. "Chip Logic ID" of npu-smi, "Device" of a 310.
using LogicalDeviceId = StrongNumber<struct LogicalDeviceIdTag>;
/// The chip's number on the host, in containers too: /dev/davinciN. "Phy-ID" of npu-smi.
using PhysicalDeviceId = StrongNumber<struct PhysicalDeviceIdTag>;
/// "NPU ID" of npu-smi, what its -i takes. Need not begin with 0 nor be small: 32768 has been seen.
using CardId = StrongNumber<struct CardIdTag>;
/// "Chip ID" of npu-smi, what its -c takes: counts the chips of a card.
using ChipId = StrongNumber<struct ChipIdTag>;
/// "Slot ID" of a 950.
using SlotId = StrongNumber<struct SlotIdTag>;

/// A chip's place on the PCIe bus, as printed: "0000:C1:00.0". The two chips of a 310P Duo share one.
struct BusId {
    QString text;
    bool operator==(const BusId &) const = default;
};

struct DeviceIds {
    std::optional<LogicalDeviceId> logical;
    std::optional<PhysicalDeviceId> physical;
    std::optional<CardId> card;
    std::optional<ChipId> chip; ///< A 950 has cards of one chip, and no number for it in most of its outputs.
    std::optional<SlotId> slot;
    std::optional<BusId> bus;

    bool operator==(const DeviceIds &) const = default;

    /// Whether both are on the same card and chip. No chip id is chip 0; no card id is never the same.
    bool isSameChip(const DeviceIds &other) const;
};

/// Worse is greater. DCMI's 0, 1, 2, 3 (dcmi_get_device_health) and the words of npu-smi.
enum class DeviceHealth {
    Ok,
    Warning, ///< DCMI: minor alarm.
    Alarm,   ///< DCMI: major alarm.
    Critical,
    Unknown, ///< The source has another word: "UNKNOWN", "Offline".
};

/// "OK", "Warning", "Alarm", "Critical", "UNKNOWN": the words of npu-smi.
QString healthWord(DeviceHealth health);
/// Unknown for any other word.
DeviceHealth healthFromWord(const QString &word);

struct DeviceProcess {
    qint64 pid = 0; ///< The host's, also where npu-smi is asked inside a container.
    QString name;   ///< Cut short by npu-smi; empty for processes of other pid namespaces and from DCMI.
                    ///< joinProcesses() adds it where it can.
    std::optional<qint64> memoryMb;
    std::optional<qint64> containerPid; ///< In the container that it runs in. npu-smi 26.0 and later.

    bool operator==(const DeviceProcess &) const = default;
};

/// In MB of 1,048,576 bytes, or in huge pages.
struct Amount {
    std::optional<qint64> used;
    std::optional<qint64> total; ///< Never 0: absent on a chip without that memory.

    bool operator==(const Amount &) const = default;

    /// 0 to 100 and beyond; nothing when one of the two is not known.
    std::optional<double> percent() const;
};

/// Load of the parts of a chip: percent, 0 to 100. While a profiler runs DCMI reports 0 for all of them.
struct DeviceRates {
    std::optional<int> aiCore;
    std::optional<int> aiVector;
    std::optional<int> aiCube;
    std::optional<int> aiCpu;
    std::optional<int> controlCpu;
    std::optional<int> npu; ///< The chip as a whole. npu-smi 25.5 and later; all that `info` says of a 950.
    std::optional<int> ddr;
    std::optional<int> ddrHugepages;
    std::optional<int> ddrBandwidth;
    std::optional<int> hbm;
    std::optional<int> hbmBandwidth;
    /// Of the memory that the chip works with, HBM if it has that: `npu-smi info watch` does not say which.
    std::optional<int> memory;
    std::optional<int> memoryBandwidth;

    bool operator==(const DeviceRates &) const = default;
};

/// Bit errors of the memories since the driver was loaded: single ones were mended, double ones were not.
struct BitErrors {
    std::optional<qint64> ddrSingle;
    std::optional<qint64> ddrDouble;
    std::optional<qint64> hbmSingle;
    std::optional<qint64> hbmDouble;

    bool operator==(const BitErrors &) const = default;
};

/// The values of one chip at one moment. Values that it does not report are absent, never 0: "NA", "-", all
/// of a memory printed as "0 / 0" (an A2 has no DDR), and a power of 0.0 W (a 310B without a sensor).
struct DeviceSample {
    DeviceIds ids;
    QString name; ///< "910B3"; empty: not said.
    std::optional<DeviceHealth> health;
    QString healthWord; ///< As printed; empty: not said.
    DeviceRates rates;
    Amount hbm;
    Amount ddr; ///< The "memory" of a 310.
    Amount hugepages;
    std::optional<int> temperatureC; ///< May be below 0.
    std::optional<int> hbmTemperatureC;
    std::optional<double> powerW; ///< Power; on a card with two dies, the first one reports the card's.
    std::optional<int> clockMhz;  ///< Present clock of the AI cores.
    std::optional<int> ratedClockMhz;
    std::optional<int> hbmClockMhz;
    BitErrors bitErrors;
    std::optional<bool> isLinkUp; ///< The chip's own port of the network between NPUs, as hccn_tool says it.
    std::optional<int> aiCores;   ///< How many.
    std::optional<QList<quint32>> errorCodes;      ///< Empty: the chip has none.
    std::optional<QList<DeviceProcess>> processes; ///< Empty: the chip has none.
    /// There is no such chip: a demo's stand-in for npu-smi has invented its values. Its name shows it too.
    bool isInvented = false;

    bool operator==(const DeviceSample &) const = default;

    /// Sets its health as printed; an empty word changes nothing.
    void setHealth(const QString &word);

    /// The AI cores run slower than they could: hot, capped, or idle.
    bool isThrottled() const { return clockMhz && ratedClockMhz && *clockMhz < *ratedClockMhz; }
};

/// Calls `visit(name, std::optional<number> &)` for every number of a sample but its ids, in the order in
/// which they are listed. The names are those of JSON and of the files of a run's history: they stay.
template <typename Sample, typename Visitor>
void forEachNumber(Sample &sample, const Visitor &visit)
{
    visit("ai_core_percent", sample.rates.aiCore);
    visit("ai_vector_percent", sample.rates.aiVector);
    visit("ai_cube_percent", sample.rates.aiCube);
    visit("ai_cpu_percent", sample.rates.aiCpu);
    visit("control_cpu_percent", sample.rates.controlCpu);
    visit("npu_percent", sample.rates.npu);
    visit("ddr_percent", sample.rates.ddr);
    visit("ddr_hugepages_percent", sample.rates.ddrHugepages);
    visit("ddr_bandwidth_percent", sample.rates.ddrBandwidth);
    visit("hbm_percent", sample.rates.hbm);
    visit("hbm_bandwidth_percent", sample.rates.hbmBandwidth);
    visit("memory_percent", sample.rates.memory);
    visit("memory_bandwidth_percent", sample.rates.memoryBandwidth);
    visit("hbm_used_mb", sample.hbm.used);
    visit("hbm_total_mb", sample.hbm.total);
    visit("ddr_used_mb", sample.ddr.used);
    visit("ddr_total_mb", sample.ddr.total);
    visit("hugepages_used", sample.hugepages.used);
    visit("hugepages_total", sample.hugepages.total);
    visit("temperature_c", sample.temperatureC);
    visit("hbm_temperature_c", sample.hbmTemperatureC);
    visit("power_w", sample.powerW);
    visit("clock_mhz", sample.clockMhz);
    visit("rated_clock_mhz", sample.ratedClockMhz);
    visit("hbm_clock_mhz", sample.hbmClockMhz);
    visit("ai_cores", sample.aiCores);
    visit("ddr_single_bit_errors", sample.bitErrors.ddrSingle);
    visit("ddr_double_bit_errors", sample.bitErrors.ddrDouble);
    visit("hbm_single_bit_errors", sample.bitErrors.hbmSingle);
    visit("hbm_double_bit_errors", sample.bitErrors.hbmDouble);
}

/// Returns the sample of the same chip; null if there is none.
auto *sampleOf(auto &samples, const DeviceIds &ids)
{
    const auto found =
        std::ranges::find_if(samples, [&](const DeviceSample &sample) { return sample.ids.isSameChip(ids); });
    return found == samples.end() ? nullptr : &*found;
}

/// The ids alone, under the keys that they have in a sample.
void visitFields(Fields &fields, DeviceIds &ids);
/// An object with what the sample has: "logical_id", "physical_id", "card", "chip", "slot", "bus", "name",
/// "health" as it was printed, the numbers of forEachNumber(), "throttled" where both clocks are known,
/// "link" ("up" or "down"), "invented" (only where true), "error_codes" ("0x81AF8000") and "processes"
/// ("pid", "name", "memory_mb", "container_pid"). Absent values have no key; other types are absent.
void visitFields(Fields &fields, DeviceSample &sample);

/// Whether a sample has anything but ids.
bool hasReadings(const DeviceSample &sample);

/// Copies the numbers and error codes that `sample` lacks from `other`.
void complete(DeviceSample &sample, const DeviceSample &other);
/// Copies the numbers that both have from `newer`.
void renew(DeviceSample &sample, const DeviceSample &newer);

/// Sets a value that is not known to what is known of it.
template <typename T>
void fillIn(std::optional<T> &value, const std::optional<T> &known)
{
    if (!value)
        value = known;
}

/// Returns the name of an NPU for users: that of an invented one ends with "(invented)".
Sentence shownName(const QString &name);

/// Removes the values of memories whose total is 0: the chip does not have them.
void dropAbsentMemory(DeviceSample &sample);

} // namespace rankdeck
