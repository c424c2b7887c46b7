#pragma once

#include "agent/preflight/preflightcheck.h"
#include "launch/host/hostfacts.h"
#include "launch/spec/launchspec.h"

#include <vector>

namespace rankdeck
{

struct LaunchPlan;

/// The values of a node that are compared with those of other nodes.
struct ComparedNode {
    QString name;
    double clockOffsetMs = 0; ///< Its clock less this machine's.
    QMap<int, QString> tls;   ///< NpuNetwork::tls().
};

/// Checks that clocks agree to a second and that TLS is the same at all NPUs. Returns nothing for one node.
std::vector<PreflightCheck> compareNodes(const std::vector<ComparedNode> &nodes);

/// The ranks of a launch that take part in the self-test, in their order.
struct TestedRanks {
    QList<int> ranks;
    QStringList nodes;                  ///< The node of each.
    std::vector<PreflightCheck> checks; ///< Skipped checks, with the reason.
};

inline constexpr int mostSelfTestRanks = 128; ///< More ranks would take too long to connect each with each.

/// Returns all ranks that `plan` starts; of more than mostSelfTestRanks the first of each node, up to that.
TestedRanks testedRanks(const LaunchPlan &plan);

/// Returns the checks of a launch that need no answer of its nodes: the plan's notes, a master of msrun that
/// other nodes cannot reach, faults of its rank table, variables whose values are out of range or contradict
/// each other, lists of visible devices. Reads the rank table's file: not for the GUI thread.
/// @param facts the facts from which the plan was made.
std::vector<PreflightCheck> planChecks(const LaunchSpec &spec, const LaunchPlan &plan,
                                       const HostFacts &facts);

/// Returns `spec` with a check's fix in its environment, for all ranks: "NAME=VALUE" is set, "NAME" is unset.
LaunchSpec withFix(LaunchSpec spec, const QString &fix);

/// "rank 3", "ranks 0-3,7", "8 ranks" where these would be too many to name, "all ranks" of a world.
QString ranksText(const QList<int> &ranks, int worldSize);

} // namespace rankdeck
