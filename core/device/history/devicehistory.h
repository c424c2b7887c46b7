#pragma once

#include "device/devicesource.h"
#include "result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QDateTime>
#include <QList>
#include <QMap>
#include <QString>

#include <optional>

namespace rankdeck
{

/// What is kept of a sample: what a plot over a run's time is made of.
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
};

/// A moment of a run's history.
struct DeviceMoment {
    QDateTime time;            ///< UTC, to the millisecond.
    qsizetype chips = 0;       ///< Index into DeviceHistory::chips.
    QList<DevicePoint> points; ///< One for each of those chips.
};

/// The history of a run's devices, as it is in the run's directory.
struct DeviceHistory {
    /// The sets of chips that there were, one after the other: each a sample with all that stays as it is
    /// (ids, name, sizes of memories, rated clock).
    QList<QList<DeviceSample>> chips;
    /// Parallel to them: the chip of each of the run's processes that has one, as far as that was known.
    QList<QMap<int, qsizetype>> chipsOfProcesses;
    QList<DeviceMoment> moments; ///< In the order of the file; clocks may have been set back.

    /// Reads what is whole; a line that was being written when the machine went down is passed over. Error:
    /// there is no such file, or it is none of these.
    static Result<DeviceHistory> read(const QString &path);
    /// The same of a file's text. Nothing when it is none of these.
    static std::optional<DeviceHistory> from(QByteArrayView text);

    /// "time,device,physical_id,card,chip,bus,name,…" with a heading, a row for each chip and moment; what is
    /// absent is empty.
    QByteArray toCsv() const;
    /// Its heading and a row of it, without the newline.
    static QByteArray csvHeading();
    QByteArray csvRow(const DeviceMoment &moment, qsizetype chip) const;
};

} // namespace rankdeck
