#pragma once

#include "result.h"

#include <QString>
#include <QStringList>

namespace rankdeck
{

/// What a process needs to reach the NPU driver, as it looks from here.
struct DriverAccess {
    bool isContainer = false;
    QStringList missingDevices; ///< Of /dev/davinci_manager, /dev/devmm_svm, /dev/hisi_hdc, /dev/davinciN.
    QStringList missingFolders; ///< Of the driver's libraries and of DCMI.
    QStringList closedDevices;  ///< They are there, and this user may not open them.
    QString group;              ///< That of the first of those.

    bool operator==(const DriverAccess &) const = default;
};

/// Looks at /dev and /usr/local below `root` (for tests; "" is this machine).
DriverAccess lookAtDriver(const QString &root = {});

/// What DCMI means by a return code: "the device is used" for -8020. Source: hicann/driver,
/// dcmi_interface_api.h. For one that is not known: "error -8099".
QString dcmiCodeWords(int code);

/// Why `where` (npu-smi, or libdcmi.so) could not reach the NPUs, in one sentence with the code, and what to
/// do about it: -8005 of a container whose devices or mounts are missing, -8020 where another one has them.
Error explainDcmi(int code, const DriverAccess &access, const QString &where);

/// The same for a program that failed with these words of its own.
Error explainFailure(const QString &words, const DriverAccess &access, const QString &where);

} // namespace rankdeck
