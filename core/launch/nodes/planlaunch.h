#pragma once

#include "launch/host/hostfacts.h"
#include "launch/nodes/portchoice.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// Gathers all that planning `spec` needs: HostFacts::gather(), the address of msrun's master, the files of
/// variables and the conda environments. Reads files and may wait for a name to be looked up: not for the GUI
/// thread. Errors: a host that is not found, a file that cannot be read or holds no variables, with its line.
/// @param use Claim if the launch is about to start on this node.
Result<HostFacts> gatherLaunchFacts(const LaunchSpec &spec, PortUse use = PortUse::Look);

/// Gathers what the share of this node depends on: HostFacts::gather(), the conda environments and
/// pythonOfEnvironment(), choosePorts(). Reads files.
HostFacts gatherNodeFacts(const LaunchSpec &spec, PortUse use = PortUse::Look);

/// Returns the plan of what the launcher of `spec` would start on one node; a pure function. Fails as the
/// launcher's own planning, or if there is no such launcher.
Result<LaunchPlan> planNode(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                            const HostFacts &facts);

/// Returns true if the launcher of `spec` needs a rank table to plan. For the others planLaunch() ignores its
/// table.
bool needsRankTable(const LaunchSpec &spec);

/// Returns the plan of a launch; a pure function. Plans by planNode() for this node, or by planAssumedNodes()
/// for all nodes if `facts` have a transport, and fails as they do. With davincirun, on this node, a note
/// says which of several servers of the rank table this host is, and why.
Result<LaunchPlan> planLaunch(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                              const HostFacts &facts);

} // namespace rankdeck
