#pragma once

#include "base/result.h"
#include "base/tr.h"

#include <QHostAddress>
#include <QProcessEnvironment>

#include <optional>

namespace rankdeck
{

struct LaunchPlan;
struct ProcessPlan;

/// Who is going to listen on a port, for messages.
struct PortUser {
    QString who;    ///< "the scheduler".
    QString option; ///< What the port is chosen with: "--master_port".
};

/// The port that a process of the plan is going to listen on here.
struct PlannedPort {
    QHostAddress address;
    int port = 0;
    PortUser user;
};

/// That of msrun's scheduler, or of rank 0 of launcher "processes"; nothing when none of them is started here
/// or the launcher has no such port. A MASTER_ADDR that is a name is looked up.
/// Source: msrun; torch.distributed.TCPStore and socket.cpp of c10d.
std::optional<PlannedPort> plannedPort(const LaunchPlan &plan);

/// What stands in the way of listening on the plan's port, if it has one; also another run that has reserved
/// it. @param ownRun see preflight().
std::optional<Error> problemWithPlannedPort(const LaunchPlan &plan, const QString &ownRun = {});

/// Returns the ports that a node's share of a launch reserves there: its master's, and where there are NPUs
/// those that HCCL listens on; none of those if HCCL chooses them itself.
QList<int> reservedPorts(const LaunchPlan &share, const QProcessEnvironment &environment);

/// Whether somebody listens on `port` of `address`, so that nobody else can. Listens for a moment itself.
bool isPortBusy(const QHostAddress &address, int port);

/// What stands in the way of listening on `port` of `address`: another listener, by name where it can be
/// seen, with a port that is free, or
/// that the address is not this machine's. Nothing when it can be done now. Listens for a moment.
std::optional<Error> problemWithPort(const QHostAddress &address, int port, const PortUser &user);

/// The script that a command hands to Python or a shell, as it stands there; empty: none, or another program,
/// whose arguments are its own business.
QString scriptOf(const QStringList &argv);

/// Whether the script of `process`, which has this PATH, is there. Error: it is not.
std::optional<Error> problemWithScript(const ProcessPlan &process, const QString &searchPath);

/// What a node must have beside the programs of its share: their scripts, the modules that Python is to run
/// (asked of that Python, which may take seconds), and the virtual environment that the launch was started
/// in, without which a program of the same name would be another one. Where a hook runs before, scripts and
/// modules may be its to bring.
std::optional<Error> problemWithScripts(const LaunchPlan &share, const QProcessEnvironment &environment);

/// What a launch of msrun or davincirun on this machine reads and does not find: its script, where no hook
/// may bring it, or msrun's rank table. Nothing when all is there, for launcher "processes", and of a plan
/// for named nodes.
std::optional<Error> problemWithInputs(const LaunchPlan &plan);

/// Check what can be checked before anything is written or started: each program exists and may be executed,
/// hooks' too, the working directory is there, the log directory can be written. The first problem is
/// returned, with its rank. Nothing when all is well, and of a plan for named nodes: each node checks its
/// own share.
/// @param ownRun the run that this is for, where its directory is there already.
std::optional<Error> preflight(const LaunchPlan &plan, const QProcessEnvironment &environment,
                               const QString &ownRun = {});

} // namespace rankdeck
