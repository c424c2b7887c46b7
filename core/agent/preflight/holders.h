#pragma once

#include "device/sample/processjoin.h"
#include "device/sampling/devicesource.h"

#include <QProcessEnvironment>

namespace rankdeck
{

struct LaunchPlan;
struct ProcessPlan;

/// A run of Rankdeck or a foreign process that uses what a launch needs: devices, a port, or NPU memory.
struct Holder {
    QString run;          ///< The run's name; empty for a foreign process.
    QString directory;    ///< Directory of the run.
    QString launchedFrom; ///< The host that a run of ours is stopped on; empty: the one that it holds on.
    bool isShare = false; ///< Launched for several nodes; only its share of this one is known here.
    QString node;         ///< Node on which it uses them; empty: this machine.
    bool isLost = false;  ///< The run lost its supervisor; `who` are processes of it that are still alive.
    QStringList who;      ///< "python3 (pid 4711) of bob"; empty for a live run.
    QList<int> devices;   ///< Held ones that the launch is going to use, ascending.
    int port = 0;         ///< A port that the launch is going to listen on; 0: no port.
    int neededMb = 0; ///< Memory that the launch needs on each of `devices`; 0: memory is not the problem.
    int freeMb = 0;   ///< Free memory on the fullest of them.

    bool isOurs() const { return !run.isEmpty(); }
    /// "The run 20240101-120000-train is live. It uses devices 0-7.", with the node where there is one.
    QString sentence() const;
    /// "rankdeckctl stop 20240101-120000-train"; empty for a foreign process.
    QString stopCommand() const { return isOurs() ? u"rankdeckctl stop "_s + run : QString(); }
    /// Host on which to run stopCommand(); empty: this machine.
    QString stopHost() const { return launchedFrom.isEmpty() ? node : launchedFrom; }

    bool operator==(const Holder &) const = default;
};

/// The device that a worker uses: its number counts within ASCEND_RT_VISIBLE_DEVICES where that is set.
int deviceOf(const ProcessPlan &process, const QProcessEnvironment &environment);

/// Returns the holders of devices or ports of `plan`: live runs that use the same devices of this machine,
/// living processes of lost runs, and listeners on the port of the ranks or on one of HCCL's host ports.
/// Looks at devices only if there are NPUs. Costs about a millisecond without holders. For a plan for several
/// nodes, each node finds the holders of its own share.
QList<Holder> findHolders(const LaunchPlan &plan, const QProcessEnvironment &environment);

/// Returns the processes on the plan's devices that belong to none of `known`.
/// @param view the meaning of pids: in a container npu-smi reports those of the host.
QList<Holder> strangersOnDevices(const LaunchPlan &plan, const QProcessEnvironment &environment,
                                 const DeviceReading &reading, const PidView &view,
                                 const QList<Holder> &known);

/// Returns the plan's devices with less free memory than it declares for its ranks there; nothing if none.
std::optional<Holder> missingMemory(const LaunchPlan &plan, const QProcessEnvironment &environment,
                                    const DeviceReading &reading);

/// All holders: from findHolders() and, where npu-smi is installed, from the other functions. npu-smi takes a
/// second or more; its answer is awaited for at most three seconds.
struct Holders {
    QList<Holder> list;
    std::optional<Error> npuProblem; ///< Why npu-smi did not say; of a node that was to end them: why not.

    /// Returns the holders as one JSON line, which a node sends to the machine that launches.
    QByteArray toLine() const;
    /// Returns nothing for any other line.
    static std::optional<Holders> fromLine(const QByteArray &line);
};
Holders findAllHolders(const LaunchPlan &plan, const QProcessEnvironment &environment);

/// Stops a run of Rankdeck that holds something here: see endRun(). Stops the share alone of a foreign run.
std::optional<Error> endHolder(const Holder &holder);

} // namespace rankdeck
