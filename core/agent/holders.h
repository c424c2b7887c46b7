#pragma once

#include "device/npuprocesses.h"
#include "launch/launchplan.h"
#include "result.h"

#include <QList>
#include <QMetaType>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankdeck
{

/// A run of ours, or somebody else's process, that holds what a launch on this machine is going to use.
struct Holder {
    QString run;         ///< The run's name; empty: it is no run of ours.
    QString directory;   ///< Of the run.
    bool isLost = false; ///< The run lost its supervisor; `who` are processes of it that are still alive.
    QStringList who;     ///< "python3 (pid 4711) of bob"; empty for a live run.
    QList<int> devices;  ///< Held ones that the launch is going to use, ascending.
    int port = 0;        ///< A port that the launch is going to listen on; 0: none of it.

    bool isOurs() const { return !run.isEmpty(); }
    /// "The run 20240101-120000-train is live and uses devices 0-7."
    QString sentence() const;
    /// "rankdeckctl stop 20240101-120000-train"; empty for what is not ours.
    QString stopCommand() const;

    bool operator==(const Holder &) const = default;
};

/// Who holds devices or the port of `plan`: live runs that use the same devices of this machine, what is left
/// of lost ones, and who listens on the port. Devices are looked at only where there are NPUs. Costs well
/// below a millisecond where nobody holds anything.
QList<Holder> findHolders(const LaunchPlan &plan, const QProcessEnvironment &environment);

/// Processes that npu-smi shows on the plan's devices and that belong to none of `known`.
QList<Holder> strangersOnDevices(const LaunchPlan &plan, const QProcessEnvironment &environment,
                                 const QList<NpuProcess> &processes, const QList<Holder> &known);

/// Everything that findHolders() and, where npu-smi is installed, strangersOnDevices() find. npu-smi takes a
/// second or more; one that does not answer within three is given up.
struct Holders {
    QList<Holder> list;
    std::optional<Error> npuProblem; ///< Why npu-smi did not say.
};
Holders findAllHolders(const LaunchPlan &plan, const QProcessEnvironment &environment);

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::Holder)
