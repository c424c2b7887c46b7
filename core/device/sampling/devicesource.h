#pragma once

#include "base/result.h"
#include "device/sample/devicesample.h"

#include <QDateTime>

namespace rankdeck
{

/// The source of samples on this machine.
struct DeviceSource {
    enum class Kind {
        None,
        NpuSmi, ///< The program; `npu-smi info` reports all cards at once.
        Dcmi, ///< libdcmi.so. Its calls may hang in the driver, so that only a process of its own makes them.
        Invented, ///< A demo's stand-in for npu-smi, for that demo's run alone. All its samples are marked.
    };
    Kind kind = Kind::None;
    QString path; ///< Path of the program or of the library; empty if there is none.

    /// Returns true for a program that is asked as npu-smi is.
    bool isAskedAsNpuSmi() const { return kind == Kind::NpuSmi || kind == Kind::Invented; }

    bool operator==(const DeviceSource &) const = default;
};

/// Reads "npu-smi", "dcmi", "none" or "invented"; returns nothing for another word.
std::optional<DeviceSource::Kind> sourceFromWord(const QString &word);

/// npu-smi where it is installed, else DCMI, else none. npu-smi is first because recorded output of many
/// drivers shows how it is to be read; DCMI is for machines, often containers, that have the library alone.
DeviceSource findDeviceSource();
/// Returns that source, or none if it is not installed; an invented one never is.
DeviceSource findDeviceSource(DeviceSource::Kind kind);

/// Returns $RANKDECK_DCMI, else libdcmi.so where the driver's package installs it; empty if there is none.
QString dcmiPath();

/// Returns why there is nothing to sample, for when findDeviceSource() finds none.
Error noDeviceSource();

/// All chips at one moment.
struct DeviceReading {
    DeviceSource::Kind source = DeviceSource::Kind::None;
    QDateTime time; ///< UTC, when it was asked for.
    QString driverVersion;
    QList<DeviceSample> samples;

    bool operator==(const DeviceReading &) const = default;
};

/// {"time", "source", "driver_version", "devices"}: what `rankdeckctl devices --json` prints. Reading fails
/// without a list of devices; all else is read leniently.
void visitFields(Fields &fields, DeviceReading &reading);
/// Reads a reading; fails with a printed {"error": {"what", "where", "mend"}}, or if it is neither.
Result<DeviceReading> readingFromJson(const QByteArray &text);

} // namespace rankdeck
