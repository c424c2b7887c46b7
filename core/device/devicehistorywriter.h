#pragma once

#include "device/devicehistory.h"
#include "result.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace rankdeck
{

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
