#pragma once

#include "device/deviceids.h"

#include <QList>
#include <QString>

#include <optional>

namespace rankdeck
{

/// Worse is greater. DCMI's 0, 1, 2, 3 (dcmi_get_device_health) and the words of npu-smi.
enum class DeviceHealth {
    Ok,
    Warning, ///< DCMI: minor alarm.
    Alarm,   ///< DCMI: major alarm.
    Critical,
    Unknown, ///< The source has a word, and it is none of these: "UNKNOWN", "Offline".
};

/// "OK", "Warning", "Alarm", "Critical", "UNKNOWN": the words of npu-smi.
QString healthWord(DeviceHealth health);
/// Unknown for any other word.
DeviceHealth healthFromWord(const QString &word);

/// A process that uses a chip.
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
    std::optional<qint64> total; ///< Never 0: what has none of it is absent.

    bool operator==(const Amount &) const = default;

    /// 0 to 100 and beyond; nothing when one of the two is not known.
    std::optional<double> percent() const;
};

/// How busy the parts of a chip are: percent, 0 to 100. While a profiler runs DCMI says 0 of all of them.
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
    /// Of whichever memory the chip works with, HBM where it has that: `npu-smi info watch` does not say
    /// which.
    std::optional<int> memory;
    std::optional<int> memoryBandwidth;

    bool operator==(const DeviceRates &) const = default;
};

/// How many bit errors memories have had since the driver was loaded: single ones were mended, double ones
/// were not.
struct BitErrors {
    std::optional<qint64> ddrSingle;
    std::optional<qint64> ddrDouble;
    std::optional<qint64> hbmSingle;
    std::optional<qint64> hbmDouble;

    bool operator==(const BitErrors &) const = default;
};

/// What one chip said of itself at one moment. What it does not give is absent, never 0: "NA" and "-" are
/// absent, and so is all of a memory that is printed as "0 / 0" (an A2 has no DDR) and a power of 0.0 W (what
/// a 310B without a sensor prints).
struct DeviceSample {
    DeviceIds ids;
    QString name; ///< "910B3"; empty: not said.
    std::optional<DeviceHealth> health;
    QString healthWord; ///< As printed; empty: not said.
    DeviceRates rates;
    Amount hbm;
    Amount ddr; ///< What a 310 calls memory.
    Amount hugepages;
    std::optional<int> temperatureC; ///< May be below 0.
    std::optional<int> hbmTemperatureC;
    std::optional<double> powerW; ///< Of two dies on a card the first one tells the card's.
    std::optional<int> clockMhz;  ///< Of the AI cores, now.
    std::optional<int> ratedClockMhz;
    std::optional<int> hbmClockMhz;
    BitErrors bitErrors;
    /// The chip's own port of the network between NPUs, as hccn_tool says it.
    std::optional<bool> isLinkUp;
    std::optional<int> aiCores;                    ///< How many.
    std::optional<QList<quint32>> errorCodes;      ///< Empty: it was asked and there is none.
    std::optional<QList<DeviceProcess>> processes; ///< Empty: it was asked and there is none.

    bool operator==(const DeviceSample &) const = default;

    /// Its health as it is printed; an empty word says nothing and changes nothing.
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

/// Whether a sample has anything but ids.
bool hasReadings(const DeviceSample &sample);

/// Takes over the numbers and error codes that `sample` lacks and `other` has.
void complete(DeviceSample &sample, const DeviceSample &other);
/// Takes over the numbers that both have.
void renew(DeviceSample &sample, const DeviceSample &newer);

/// Drops what a total of 0 says is not there.
void dropAbsentMemory(DeviceSample &sample);

} // namespace rankdeck
