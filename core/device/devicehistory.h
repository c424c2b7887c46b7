#pragma once

#include "device/devicesource.h"
#include "result.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
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
    QList<DeviceMoment> moments; ///< In the order of the file; clocks may have been set back.

    /// Reads what is whole; a line that was being written when the machine went down is passed over. Error:
    /// there is no such file, or it is none of these.
    static Result<DeviceHistory> read(const QString &path);

    /// "time,device,physical_id,card,chip,bus,name,…" with a heading, a row for each chip and moment; what is
    /// absent is empty.
    QByteArray toCsv() const;
};

/// Where a run's history is: "devices" in its directory.
QString deviceHistoryPath(const QString &runDirectory);

/// Writes the history: a line for each reading, appended with one write, about 20 bytes a chip and 1 for one
/// that is as it was. Where the file would grow beyond its limit every second moment is dropped, in a new
/// file that takes the old one's place, and from then on only every second reading is kept, and so on: what
/// is kept always spans the whole run. Blocks for a write; once in a long while for a rewrite of the file.
class DeviceHistoryWriter
{
public:
    static constexpr qint64 usualLimit = 4 * 1024 * 1024;

    /// @param path of a file that may be there already; it is then continued.
    explicit DeviceHistoryWriter(QString path, qint64 limit = usualLimit);

    /// Error: it cannot be written. The next reading is tried anew.
    std::optional<Error> add(const DeviceReading &reading);

private:
    std::optional<Error> begin();
    std::optional<Error> thin();
    std::optional<Error> append(const QByteArray &lines);
    QByteArray linesOf(const QList<DeviceSample> &chips, const QDateTime &time,
                       const QList<DevicePoint> &points);

    QString m_path;
    qint64 m_limit;
    qint64 m_size = -1; ///< Of the file; -1: it has not been looked at.
    int m_every = 1;    ///< Of so many readings one is kept.
    int m_skipped = 0;
    QList<DeviceSample> m_chips; ///< The file's last; empty: they are to be written.
    QList<DevicePoint> m_last;   ///< The file's last; empty: all are to be written.
};

} // namespace rankdeck
