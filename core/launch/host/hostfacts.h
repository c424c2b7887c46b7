#pragma once

#include "base/result.h"

#include <QHostAddress>
#include <QMap>
#include <QProcessEnvironment>

namespace rankdeck
{

class Fields;
struct LaunchSpec;

/// How this machine reaches another one.
struct HostRoute {
    QString address; ///< The other's IPv4 address.
    QString source;  ///< This machine's address on the way there; empty: not known.
};

struct CondaEnvironment {
    QString name;         ///< "base" for the root.
    QString directory;    ///< Absolute; its programs are in bin, its libraries in lib.
    QStringList programs; ///< Programs in bin, among those that the launch may start.
};

/// A NUMA node of this machine.
struct NumaNode {
    int number = 0;
    QList<int> cpus; ///< Ascending; empty for memory without cpus.
};

/// Groups of a machine's cpus that are near each other. Leaves out groups without a cpu; empty if the machine
/// does not report them.
struct CpuLayout {
    QList<QList<int>> numaNodes;
    QList<QList<int>> sockets;
    QList<QList<int>> coreComplexes; ///< Cpus that share a cache of the third level.

    /// Reads the layout of this machine.
    /// @param sys the folder of the kernel's /sys/devices/system, for tests.
    static CpuLayout read(const QString &sys = u"/sys/devices/system"_s);
    bool operator==(const CpuLayout &) const = default;
};

/// Ports of a node for a launch, see choosePorts().
struct PortChoice {
    int master = 0; ///< In place of the launcher's own default, which is taken; 0: the default is free.
    int hccl = 0;   ///< HCCL_IF_BASE_PORT in place of 60000; 0: those ports are free, or not looked at.

    bool operator==(const PortChoice &) const = default;
};

/// All that a plan depends on besides the spec and the rank table, gathered once so that planning is a pure
/// function.
struct HostFacts {
    QString hostName;
    QString currentDirectory; ///< Relative paths in the spec are relative to this.
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
    QStringList addresses;     ///< This machine's own IPv4 addresses, loopback included.
    QStringList ipv6Addresses; ///< Its IPv6 addresses, without the interface.
    QList<int> cpus;           ///< The cpus that this process may run on, ascending.
    QList<NumaNode> numaNodes; ///< Nodes with memory, ascending.
    /// Other hosts by the name that the user gave; filled by lookUpMaster(), not by gather().
    QMap<QString, HostRoute> routes;
    /// Filled by gatherLaunchFacts() if the spec needs them: files of variables by their path in the spec,
    /// and the conda environments of this machine.
    QMap<QString, QMap<QString, QString>> envFiles;
    QList<CondaEnvironment> condaEnvironments;
    /// The python of the environment of Python that the launch is started in, VIRTUAL_ENV or else
    /// CONDA_PREFIX; empty: none. Filled by gatherNodeFacts().
    QString environmentPython;
    /// The torch of the launch's Python, see installedTorch(). Filled by gatherNodeFacts().
    QString torch;
    /// The text of msrun's rank table, which each node of a launch for named nodes is given; empty: there is
    /// none, or it cannot be read.
    QByteArray rankTableText;
    CpuLayout cpuLayout;
    int onlineCpus = 0; ///< As Python's os.cpu_count() counts them.
    int npuCount = 0;   ///< NPUs that the driver shows in /dev; 0 where it shows none.
    /// A port that was free a moment ago, for a launch with --standalone, filled by gatherLaunchFacts(); else
    /// 0.
    int freePort = 0;
    PortChoice ports; ///< Filled by gatherNodeFacts().
    /// The IPv4 address at which ssh or srun reached this machine; empty if neither did.
    QString reachedAt;
    /// For a launch on named nodes, filled by gatherLaunchFacts(): the transport's name, and the nodes;
    /// without nodes, the rank table's servers are meant. Empty: the launch is for this node.
    QString transport;
    QStringList nodes;

    /// Gathers the facts of this process on this machine. Reads /usr/local/Ascend/driver/version.info.
    static HostFacts gather();
};

/// Returns what another machine needs to plan for this one: everything but the environment, the files of
/// variables and facts that concern only the planning machine.
void visitFields(Fields &fields, HostFacts &facts);

/// Returns the NUMA nodes with memory below `root`, /sys/devices/system/node; empty if the kernel has none.
QList<NumaNode> findNumaNodes(const QString &root);

/// Returns the number of NPUs that the driver shows in /dev.
int npusInDev();

/// Looks up msrun's --master_addr and adds its IPv4 address and this machine's own address on the way there
/// to `facts`. Blocks while a name is looked up; sends nothing to the host. Does nothing for other launchers.
/// Fails if there is no such name, or none with an IPv4 address.
std::optional<Error> lookUpMaster(const LaunchSpec &spec, HostFacts &facts);

/// Returns the IPv4 source address of a datagram from here to `address`; sends none. Empty: no route.
QString addressTowards(const QHostAddress &address);

/// --conda-env, else DEFAULT_CONDA_ENV_NAME where ANACONDA_DIR is set too (ModelArts images); empty: none. A
/// variable that --unset-env names does not count.
QString wantedCondaEnvironment(const LaunchSpec &spec, const QProcessEnvironment &environment);

/// Returns bin/python of the directory that VIRTUAL_ENV, else CONDA_PREFIX names for the launch; empty if
/// neither names a directory with that program.
QString pythonOfEnvironment(const LaunchSpec &spec, const QProcessEnvironment &environment);

/// Returns the version of torch that is installed for the program that `spec` starts: in the environment of
/// Python that this program or `interpreter` is in, for this user, or in PYTHONPATH. Returns "0" if torch
/// does not tell its version, if there are several versions, torch_npu alone, or the program enters a
/// container; an empty text if there is neither. After chroot it is that of the other root. Only reads
/// directories.
QString installedTorch(const LaunchSpec &spec, const QString &interpreter,
                       const QProcessEnvironment &environment);

/// The conda environments of this machine and user, by name: the one that ANACONDA_DIR and
/// DEFAULT_CONDA_ENV_NAME name, also without a conda-meta; below ANACONDA_DIR, below the installation of
/// CONDA_EXE, below CONDA_ENVS_PATH and CONDA_ENVS_DIRS, those that conda listed in
/// ~/.conda/environments.txt, and one that `spec` names by its directory. Starts nothing; reads directories.
QList<CondaEnvironment> findCondaEnvironments(const LaunchSpec &spec, const QProcessEnvironment &environment);

/// Returns the environment called `wanted`, by name or by directory. Fails if it does not exist; the error
/// lists all environments.
Result<CondaEnvironment> chooseCondaEnvironment(const QString &wanted, const HostFacts &facts);

} // namespace rankdeck
