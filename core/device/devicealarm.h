#pragma once

#include "device/devicesource.h"

#include <QList>
#include <QString>

#include <optional>

namespace rankdeck
{

/// Something that befell a chip between two readings, for a run's journal and for whoever watches.
struct DeviceAlarm {
    enum class Kind {
        Worse,    ///< Its health.
        Better,   ///< The same, and error codes that are there no more are not told apart.
        Error,    ///< A new error code, whatever its health says.
        BitError, ///< A memory has had errors that could not be mended.
        LinkDown, ///< Its port of the network between NPUs.
        LinkUp,
        Vanished, ///< The source does not list it any more.
        Returned, ///< It does again.
        Well,     ///< Nothing is known to be wrong with it any more, which no other kind says.
    };
    Kind kind = Kind::Worse;
    DeviceIds ids;
    QString name;
    QString before;   ///< Health as it was printed, of Worse and Better; empty: not known.
    QString now;      ///< The same.
    quint32 code = 0; ///< Of Error.
    qint64 count = 0; ///< Of BitError: how many more there are.

    /// "Device 1 (910B3, card 5): its health was OK and is Alarm."
    QString sentence() const;
    bool operator==(const DeviceAlarm &) const = default;
};

/// A later reading in which what it does not say of a chip (a question besides was not asked, or failed) is
/// as it was before. Error codes of a chip whose health is OK again are none.
DeviceReading withKnown(const DeviceReading &before, DeviceReading after);
/// What happened from one reading to a later one, in the order of the chips; a chip that the first reading
/// does not have is taken for one that was well. Readings that failed are not to be compared.
QList<DeviceAlarm> alarmsBetween(const DeviceReading &before, const DeviceReading &later);
/// Of a first reading: the chips that are not well.
QList<DeviceAlarm> alarmsOf(const DeviceReading &first);

/// Whether nothing is known to be wrong with a chip now.
bool isWell(const DeviceSample &sample);
/// Whether nothing runs on a chip that is not critically ill. Nothing: the source does not tell its
/// processes.
std::optional<bool> isFree(const DeviceSample &sample);
/// How busy it is, 0 to 100: its AI cores, else the chip as a whole (a 950). Nothing: it says neither.
std::optional<int> busyPercent(const DeviceSample &sample);
/// What is left of the memory that it trains in: HBM, or DDR where there is no HBM. MB.
std::optional<qint64> freeMemoryMb(const DeviceSample &sample);

} // namespace rankdeck
