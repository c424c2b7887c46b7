#pragma once

#include "base/sentence.h"
#include "device/sampling/devicesource.h"

namespace rankdeck
{

/// A change of a chip between two readings, for a run's journal and its viewers.
struct DeviceAlarm {
    enum class Kind {
        Worse,    ///< Its health.
        Better,   ///< Its health; error codes that are gone have no alarm of their own.
        Error,    ///< A new error code, with any health.
        BitError, ///< New uncorrectable errors of a memory.
        LinkDown, ///< Its port of the network between NPUs.
        LinkUp,
        Vanished, ///< The source does not list it any more.
        Returned, ///< The source lists it again.
        Well,     ///< The chip has no fault any more, for cases without another kind.
    };
    Kind kind = Kind::Worse;
    DeviceIds ids;
    QString name;
    QString before;   ///< Health as it was printed, of Worse and Better; empty: not known.
    QString now;      ///< Present health as printed, for Worse and Better.
    quint32 code = 0; ///< Code for Error.
    qint64 count = 0; ///< Number of new errors for BitError.

    /// "Device 1 (910B3, card 5): its health was OK and is Alarm."
    Sentence sentence() const;
    bool operator==(const DeviceAlarm &) const = default;
};

/// Returns the later reading; values of a chip that it lacks (a question was not asked, or failed) come from
/// the earlier one. A chip whose health is OK again has no error codes.
DeviceReading withKnown(const DeviceReading &before, DeviceReading after);
/// Returns the changes from one reading to a later one, in the order of the chips. A chip that the first
/// reading does not have counts as well; so does each of a first reading, which follows an empty one.
/// Readings that failed must not be compared.
QList<DeviceAlarm> alarmsBetween(const DeviceReading &before, const DeviceReading &later);

/// Whether nothing is known to be wrong with a chip now.
bool isWell(const DeviceSample &sample);
/// Whether nothing runs on a chip whose health is not critical. Nothing if the source lists no processes.
std::optional<bool> isFree(const DeviceSample &sample);
/// Returns how busy the chip is, 0 to 100: its AI cores, else the whole chip (a 950); nothing if unknown.
std::optional<int> busyPercent(const DeviceSample &sample);
/// Returns the free part of the memory used for training: HBM, or DDR if there is no HBM. MB.
std::optional<qint64> freeMemoryMb(const DeviceSample &sample);

} // namespace rankdeck
