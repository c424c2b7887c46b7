#pragma once

#include <QProcessEnvironment>
#include <QString>

namespace rankdeck
{

/// What a plan depends on besides the spec and the rank table, gathered once so that planning is a pure
/// function.
struct HostFacts {
    QString hostName;
    QString currentDirectory; ///< What relative paths in the spec are relative to.
    QString temporaryDirectory;
    /// First line of the driver's version.info, empty without a driver.
    QString driverVersion;
    /// Whether the platform's home, /home/ma-user, can be written or made by this user.
    bool platformHomeIsWritable = true;
    QProcessEnvironment environment;

    /// Of this process, on this machine. Reads /usr/local/Ascend/driver/version.info.
    static HostFacts gather();
};

} // namespace rankdeck
