#pragma once

#include "device/sample/processjoin.h"
#include "device/sampling/devicesource.h"

#include <QProcessEnvironment>

namespace rankdeck
{

struct LaunchPlan;
struct ProcessPlan;

/// A run of Rankdeck, or a process of somebody else, that holds what a launch is going to use; or NPU memory
/// that is not free, no matter which process holds it.
struct Holder {
    QString run;          ///< The run's name; empty for a process of somebody else.
    QString directory;    ///< Of the run.
    QString launchedFrom; ///< The host that a run of ours is stopped on; empty: the one that it holds on.
    bool isShare =
        false;           ///< It was launched for several nodes, and only its share of this one is known here.
    QString node;        ///< Where it holds that; empty: on this machine.
    bool isLost = false; ///< The run lost its supervisor; `who` are processes of it that are still alive.
    QStringList who;     ///< "python3 (pid 4711) of bob"; empty for a live run.
    QList<int> devices;  ///< Held ones that the launch is going to use, ascending.
    int port = 0;        ///< A port that the launch is going to listen on; 0: none of it.
    int neededMb = 0;    ///< Memory that the launch needs on each of `devices`; 0: that is not what is held.
    int freeMb = 0;      ///< What is free of it on the fullest of them.

    bool isOurs() const { return !run.isEmpty(); }
    /// "The run 20240101-120000-train is live. It uses devices 0-7.", with the node where there is one.
    QString sentence() const;
    /// "rankdeckctl stop 20240101-120000-train"; empty for what is not ours.
    QString stopCommand() const;
    /// Where to say that; empty: on this machine.
    QString stopHost() const { return launchedFrom.isEmpty() ? node : launchedFrom; }

    bool operator==(const Holder &) const = default;
};

/// The device that a worker uses: its number counts within ASCEND_RT_VISIBLE_DEVICES where that is set.
int deviceOf(const ProcessPlan &process, const QProcessEnvironment &environment);

/// Who holds devices or ports of `plan`: live runs that use the same devices of this machine, what is left of
/// lost ones, and who listens on the port of the ranks or on one of HCCL's host ports. Devices are looked at
/// only where there are NPUs. Costs about a millisecond where nobody holds anything. Of a plan for several
/// nodes each finds the holders of its own share.
QList<Holder> findHolders(const LaunchPlan &plan, const QProcessEnvironment &environment);

/// Processes on the plan's devices that belong to none of `known`.
/// @param view what pids mean here: in a container npu-smi tells those of the host.
QList<Holder> strangersOnDevices(const LaunchPlan &plan, const QProcessEnvironment &environment,
                                 const DeviceReading &reading, const PidView &view,
                                 const QList<Holder> &known);

/// The plan's devices on which less memory is free than it says it needs for all its ranks there; nothing
/// where that is not so, or where it says nothing.
std::optional<Holder> missingMemory(const LaunchPlan &plan, const QProcessEnvironment &environment,
                                    const DeviceReading &reading);

/// Everything that findHolders() and, where npu-smi is installed, the others find. npu-smi takes a second or
/// more; one that does not answer within three is given up.
struct Holders {
    QList<Holder> list;
    std::optional<Error> npuProblem; ///< Why npu-smi did not say; of a node that was to end them: why not.

    /// How a node tells them to the machine that launches: one JSON line.
    QByteArray toLine() const;
    /// Returns nothing for any other line.
    static std::optional<Holders> fromLine(const QByteArray &line);
};
Holders findAllHolders(const LaunchPlan &plan, const QProcessEnvironment &environment);

/// End a run of ours that holds something on this machine; see endRun(). Of a share without its run the
/// share.
std::optional<Error> endHolder(const Holder &holder);

} // namespace rankdeck
