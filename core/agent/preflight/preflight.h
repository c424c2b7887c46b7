#pragma once

#include "base/result.h"

#include <QHostAddress>
#include <QProcessEnvironment>

namespace rankdeck
{

struct LaunchPlan;
struct ProcessPlan;

/// The future listener on a port, for messages.
struct PortUser {
    QString who;    ///< "the scheduler".
    QString option; ///< Option that sets the port: "--master_port".
};

/// The port that a process of the plan is going to listen on here.
struct PlannedPort {
    QHostAddress address;
    int port = 0;
    PortUser user;
};

/// Returns the port of msrun's scheduler, or of rank 0 of launcher "processes"; nothing if neither is started
/// on this node or the launcher has no such port. Looks up a MASTER_ADDR that is a name. Source: msrun;
/// torch.distributed.TCPStore and socket.cpp of c10d.
std::optional<PlannedPort> plannedPort(const LaunchPlan &plan);

/// Returns the obstacle to listening on the plan's port, if it has one; another run's reservation is one.
/// @param ownRun see preflight().
std::optional<Error> problemWithPlannedPort(const LaunchPlan &plan, const QString &ownRun = {});

/// Returns the ports that a node's share of a launch reserves on the node: its master's, and with NPUs those
/// that HCCL listens on; none of those if HCCL chooses them itself.
QList<int> reservedPorts(const LaunchPlan &share, const QProcessEnvironment &environment);

/// Returns whether `port` of `address` already has a listener. Listens for a moment itself.
bool isPortBusy(const QHostAddress &address, int port);

/// Returns the obstacle to listening on `port` of `address`: another listener, by name if it can be seen,
/// with a free port; or that the address is not this machine's. Nothing if there is none. Listens for a
/// moment.
std::optional<Error> problemWithPort(const QHostAddress &address, int port, const PortUser &user);

/// Returns the script that a command hands to Python or a shell, as written; empty if there is none.
QString scriptOf(const QStringList &argv);

/// Whether the script of `process`, which has this PATH, is there. Error: it is not.
std::optional<Error> problemWithScript(const ProcessPlan &process, const QString &searchPath);

/// Checks the files that a node needs beside the programs of its share: their scripts, the modules that
/// Python is to run (by asking that Python, which may take seconds), and the virtual environment from which
/// the launch was started, without which a program of the same name would be another one. If a hook runs
/// before, it may install scripts and modules.
std::optional<Error> problemWithScripts(const LaunchPlan &share, const QProcessEnvironment &environment);

/// Returns the first input that a launch of msrun or davincirun on this machine would not find: its script,
/// unless a hook may install it, or msrun's rank table. Nothing if all exist, for launcher "processes", and
/// for a plan for named nodes.
std::optional<Error> problemWithInputs(const LaunchPlan &plan);

/// Check what can be checked before anything is written or started: each program exists and may be executed,
/// hooks' too, the working directory is there, the log directory can be written. Returns the first problem,
/// with its rank; nothing if all is well, and for a plan for named nodes: each node checks its share.
/// @param ownRun the run that this is for, where its directory is there already.
std::optional<Error> preflight(const LaunchPlan &plan, const QProcessEnvironment &environment,
                               const QString &ownRun = {});

} // namespace rankdeck
