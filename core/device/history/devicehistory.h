#pragma once

#include "device/history/historyfile.h"
#include "device/sampling/devicesource.h"

#include <QMap>

#include <concepts>
#include <type_traits>

namespace rankdeck
{

// The file of a DeviceHistory is a HistoryFile about chips, a JSON array, with a point for each of them.

inline constexpr char deviceHistoryHeading[] = "# rankdeck devices 1 ";

/// The values of a sample that are recorded, for plots over the time of a run.
struct DevicePoint {
    std::optional<int> aiCorePercent;
    std::optional<int> npuPercent;
    std::optional<qint64> hbmUsedMb;
    std::optional<qint64> ddrUsedMb;
    std::optional<int> temperatureC;
    std::optional<double> powerW; ///< To 0.1 W.
    std::optional<int> clockMhz;
    std::optional<DeviceHealth> health;
    std::optional<int> errors; ///< How many error codes.

    bool operator==(const DevicePoint &) const = default;
    static DevicePoint of(const DeviceSample &sample);
    /// Sets these values in a sample with the fixed ones. Of error codes only the number is recorded.
    void addTo(DeviceSample &sample) const;
};

/// The values of a point with the names that CSV has for them.
template <typename Point, typename Visitor>
requires std::same_as<std::remove_const_t<Point>, DevicePoint>
void forEachValue(Point &point, const Visitor &visit)
{
    visit("ai_core_percent", point.aiCorePercent);
    visit("npu_percent", point.npuPercent);
    visit("hbm_used_mb", point.hbmUsedMb);
    visit("ddr_used_mb", point.ddrUsedMb);
    visit("temperature_c", point.temperatureC);
    visit("power_w", point.powerW);
    visit("clock_mhz", point.clockMhz);
    visit("health", point.health);
    visit("errors", point.errors);
}

/// Returns its number in DeviceHealth.
QByteArray valueText(const std::optional<DeviceHealth> &value);
/// Returns false for other text.
bool readValue(const QByteArray &text, std::optional<DeviceHealth> &value);

/// Writes the history of devices: about 20 bytes a chip, 2 for an unchanged one. Blocks as HistoryFile does.
class DeviceHistoryWriter
{
public:
    /// @param path of a file that may be there already; it is then continued.
    explicit DeviceHistoryWriter(const QString &path, qint64 limit = HistoryFile::usualLimit);

    /// @param chipsOfProcesses index in the reading's samples by process of the run, where that is known.
    /// Fails if it cannot be written; the next reading is tried again.
    std::optional<Error> add(const DeviceReading &reading, const QMap<int, int> &chipsOfProcesses = {});

private:
    HistoryFile m_file;
};

struct DeviceMoment {
    QDateTime time;            ///< UTC, to the millisecond.
    qsizetype chips = 0;       ///< Index into DeviceHistory::chips.
    QList<DevicePoint> points; ///< One for each of the chips.
};

/// The history of a run's devices, as stored in the run's directory.
struct DeviceHistory {
    /// The sets of chips in turn, with what does not change (ids, name, memory sizes, rated clock).
    QList<QList<DeviceSample>> chips;
    /// Parallel to `chips`: the chip of each of the run's processes, as far as known.
    QList<QMap<int, qsizetype>> chipsOfProcesses;
    QList<DeviceMoment> moments; ///< In the order of the file; clocks may have been set back.

    /// Reads all whole lines. Fails if there is no such file, or it is not a history of devices.
    static Result<DeviceHistory> read(const QString &path);
    /// The same for a file's text. Returns nothing if it is not such a history.
    static std::optional<DeviceHistory> from(QByteArrayView text);

    /// Returns "time,device,physical_id,card,chip,bus,name,…", and a row of these; absent values are empty.
    static QByteArray csvHeading();
    QByteArray csvRow(const DeviceMoment &moment, qsizetype chip) const;
};

} // namespace rankdeck
