#pragma once

#include "launch/host/hostfacts.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"

namespace rankdeck
{

/// The value of --bind-core (msrun: --bind_core).
struct CpuBinding {
    enum class Kind { None, Even, ByDevice };

    Kind kind = Kind::None;
    QMap<int, QList<int>> byDevice; ///< Cpus, ascending; kind ByDevice only.
    QList<int> scheduler;           ///< Cpus of msrun's scheduler; kind ByDevice only.
};

/// Reads "False", "True" (in any case, as msrun does), or a JSON object such as
/// {"scheduler":["0-9"],"device0":["10-19"],"device1":["20-29","40-49"]}; an empty list binds to nothing.
/// Errors name `option`, the key and the range.
Result<CpuBinding> readCpuBinding(const QString &text, const QString &option);

/// Returns the cpus of each local rank by --bind-core; empty lists for ranks that are not bound, which are
/// added to `notes` if they are not named. Fails as readCpuBinding(), or if a cpu is not one of `cpus`.
/// @param devices the number X of deviceX by local rank.
Result<QList<QList<int>>> bindLocalRanks(const QString &bindCore, const QString &option,
                                         const QList<int> &devices, const QList<int> &cpus,
                                         QList<Sentence> &notes);

/// Returns `cpus` in `parts` equal shares, in order; the remainder belongs to none. Empty shares if there are
/// fewer cpus than parts.
QList<QList<int>> evenShares(const QList<int> &cpus, int parts);

// The options that every launcher has are applied in two steps: before the launcher makes its plan, and
// after.

/// `facts` and `spec` as the launcher's own planning sees them: without the variables of --unset-env, and
/// with the variables from files, over which the spec's own win.
struct LaunchGround {
    LaunchSpec spec;
    HostFacts facts;
};
LaunchGround layGround(const LaunchSpec &spec, const HostFacts &facts);

/// Applies the other common options to `plan`, made from `ground`: variables by rank and --unset-env, the
/// conda environment, cpus (msrun binds them itself), limits, wrappers, terminals. Errors: a rank
/// that the launch does not have, a conda environment that is not there or lacks the interpreter, cpus that
/// are not this process's, a wrong ASCEND_RT_VISIBLE_DEVICES.
Result<LaunchPlan> withCommonOptions(LaunchPlan plan, const LaunchGround &ground);

} // namespace rankdeck
