#pragma once

#include "base/result.h"

namespace rankdeck
{

/// Requirements of a process to reach the NPU driver, as this process finds them.
struct DriverAccess {
    bool isContainer = false;
    /// Missing ones of /dev/davinci_manager, /dev/devmm_svm, /dev/hisi_hdc, /dev/davinciN.
    QStringList missingDevices;
    QStringList missingFolders; ///< Missing folders of the driver's libraries and of DCMI.
    QStringList closedDevices;  ///< Devices that exist but that this user may not open.
    QString group;              ///< Group of the first closed device.

    bool operator==(const DriverAccess &) const = default;
};

/// Checks /dev and /usr/local below `root` (for tests; "" is this machine).
DriverAccess lookAtDriver(const QString &root = {});

/// Why `where` (npu-smi, or libdcmi.so) could not reach the NPUs, in one sentence with the code, and what to
/// do about it: -8005 of a container whose devices or mounts are missing, -8020 where another one has them.
Error explainDcmi(int code, const DriverAccess &access, const QString &where);

/// Returns the same for a program that failed with this message.
Error explainFailure(const QString &words, const DriverAccess &access, const QString &where);

} // namespace rankdeck
