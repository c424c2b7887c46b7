#pragma once

#include "base/result.h"

namespace rankdeck
{

/// What a process needs to reach the NPU driver, as seen from this process.
struct DriverAccess {
    bool isContainer = false;
    QStringList missingDevices; ///< Of /dev/davinci_manager, /dev/devmm_svm, /dev/hisi_hdc, /dev/davinciN.
    QStringList missingFolders; ///< Of the driver's libraries and of DCMI.
    QStringList closedDevices;  ///< Devices that exist but that this user may not open.
    QString group;              ///< Group of the first closed device.

    bool operator==(const DriverAccess &) const = default;
};

/// Checks /dev and /usr/local below `root` (for tests; "" is this machine).
DriverAccess lookAtDriver(const QString &root = {});

/// What DCMI means by a return code: "the device is used" for -8020. Source: hicann/driver,
/// dcmi_interface_api.h. For one that is not known: "error -8099".
QString dcmiCodeWords(int code);

/// Why `where` (npu-smi, or libdcmi.so) could not reach the NPUs, in one sentence with the code, and what to
/// do about it: -8005 of a container whose devices or mounts are missing, -8020 where another one has them.
Error explainDcmi(int code, const DriverAccess &access, const QString &where);

/// The same for a program that failed with this text of its own.
Error explainFailure(const QString &words, const DriverAccess &access, const QString &where);

} // namespace rankdeck
