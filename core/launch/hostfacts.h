#pragma once

#include <QList>
#include <QMap>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace rankdeck
{

/// How this machine reaches another one.
struct HostRoute {
    QString address; ///< The other's IPv4 address.
    QString source;  ///< This machine's address on the way there; empty: not known.
};

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
    QStringList addresses; ///< This machine's own IPv4 addresses, loopback included.
    QList<int> cpus;       ///< Those that this process may run on, ascending.
    /// Other hosts by the name that the user gave; gather() looks none up, see lookUpMaster().
    QMap<QString, HostRoute> routes;

    /// Of this process, on this machine. Reads /usr/local/Ascend/driver/version.info.
    static HostFacts gather();
};

} // namespace rankdeck
