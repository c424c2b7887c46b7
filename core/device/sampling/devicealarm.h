#pragma once

#include "device/sampling/devicesource.h"

namespace rankdeck
{

/// A change of a chip between two readings, for a run's journal and its viewers.
struct DeviceAlarm {
    enum class Kind {
        Worse,    ///< Its health.
        Better,   ///< Its health; error codes that are gone have no alarm of their own.
        Error,    ///< A new error code, whatever its health.
        BitError, ///< New uncorrectable errors of a memory.
        LinkDown, ///< Its port of the network between NPUs.
        LinkUp,
        Vanished, ///< The source does not list it any more.
        Returned, ///< The source lists it again.
        Well,     ///< Nothing is wrong with it any more, if no other kind says so.
    };
    Kind kind = Kind::Worse;
    DeviceIds ids;
    QString name;
    QString before;   ///< Health as it was printed, of Worse and Better; empty: not known.
    QString now;      ///< Health as it is now printed, of Worse and Better.
    quint32 code = 0; ///< Of Error.
    qint64 count = 0; ///< Of BitError: how many more there are.

    /// "Device 1 (910B3, card 5): its health was OK and is Alarm."
    QString sentence() const;
    bool operator==(const DeviceAlarm &) const = default;
};

/// Returns the later reading with what it does not report of a chip (a question was not asked, or failed)
/// taken from the earlier one. A chip whose health is OK again has no error codes.
DeviceReading withKnown(const DeviceReading &before, DeviceReading after);
/// Returns the changes from one reading to a later one, in the order of the chips. A chip that the first
/// reading does not have counts as well. Readings that failed must not be compared.
QList<DeviceAlarm> alarmsBetween(const DeviceReading &before, const DeviceReading &later);
/// Returns alarms for the chips of a first reading that are not well.
QList<DeviceAlarm> alarmsOf(const DeviceReading &first);

/// Whether nothing is known to be wrong with a chip now.
bool isWell(const DeviceSample &sample);
/// Whether nothing runs on a chip whose health is not critical. Returns nothing if the source does not list
/// processes.
std::optional<bool> isFree(const DeviceSample &sample);
/// Returns how busy the chip is, 0 to 100: its AI cores, else the chip as a whole (a 950). Returns nothing if
/// neither is reported.
std::optional<int> busyPercent(const DeviceSample &sample);
/// Returns the free part of the memory used for training: HBM, or DDR if there is no HBM. MB.
std::optional<qint64> freeMemoryMb(const DeviceSample &sample);

} // namespace rankdeck
