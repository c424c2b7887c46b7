#pragma once

#include "result.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <nlohmann/json_fwd.hpp>

namespace rankdeck
{

/// How this machine reaches another one.
struct HostRoute {
    QString address; ///< The other's IPv4 address.
    QString source;  ///< This machine's address on the way there; empty: not known.
};

/// A conda environment of this machine.
struct CondaEnvironment {
    QString name;         ///< "base" for the root.
    QString directory;    ///< Absolute; its programs are in bin, its libraries in lib.
    QStringList programs; ///< Of those that the launch may start, the ones in bin.
};

/// What a plan depends on besides the spec and the rank table, gathered once so that planning is a pure
/// function.
struct HostFacts {
    QString hostName;
    QString currentDirectory; ///< What relative paths in the spec are relative to.
    QString temporaryDirectory;
    /// First line of the driver's version.info, empty without a driver.
    QString driverVersion;
    /// The driver's log daemon and its script for the end of a job, as its containers have them; empty: not
    /// there.
    QString slogdPath;
    QString stopScriptPath;
    /// Whether the platform's home, /home/ma-user, can be written or made by this user.
    bool platformHomeIsWritable = true;
    QProcessEnvironment environment;
    QStringList addresses; ///< This machine's own IPv4 addresses, loopback included.
    QList<int> cpus;       ///< Those that this process may run on, ascending.
    /// Other hosts by the name that the user gave; gather() looks none up, see lookUpMaster().
    QMap<QString, HostRoute> routes;
    /// What gatherLaunchFacts() looks up for a spec that names it: files of variables by their path in the
    /// spec, and the conda environments that there are.
    QMap<QString, QMap<QString, QString>> envFiles;
    QList<CondaEnvironment> condaEnvironments;
    /// The text of msrun's rank table, which each node of a launch for named nodes is given.
    QByteArray rankTableText;
    int npuCount = 0; ///< NPUs that the driver shows in /dev; 0 where it shows none.
    /// This machine's address as it was reached over ssh or by srun, IPv4; empty: it was not.
    QString reachedAt;
    /// Of a launch for named nodes, looked up by gatherLaunchFacts(): the transport's word, and the nodes;
    /// without nodes they are the rank table's servers. Empty: the launch is for this node.
    QString transport;
    QStringList nodes;

    /// Of this process, on this machine. Reads /usr/local/Ascend/driver/version.info.
    static HostFacts gather();
};

/// What another machine needs to plan for this one: everything but the environment, the files of variables
/// and what is only about the machine that plans.
nlohmann::json toJson(const HostFacts &facts);
/// Error: a missing key or one of the wrong type.
Result<HostFacts> hostFactsFromJson(const nlohmann::json &json);

/// NPUs that the driver shows in /dev, 0 where it shows none.
int npusInDev();

} // namespace rankdeck
