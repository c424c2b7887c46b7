#pragma once

#include "base/sentence.h"
#include "launch/planning/commonplan.h"

namespace rankdeck
{

// The ports of a launch by --ports auto. They are chosen while facts are gathered, so that planning stays a
// pure function.

/// Whether a launch that is being planned will be started. Then the chosen ports are claimed, so that another
/// launch at the same time chooses others.
enum class PortUse { Look, Claim };

/// Returns the port that the ranks of `spec` meet at if it is its launcher's own default and --ports allows
/// another; 0: there is none, or the user has named it.
int openMasterPort(const LaunchSpec &spec);

/// Looks for ports without a listener that no other run of this user has locked or claimed: for the master
/// the next one from the default, for HCCL the next block of hcclHostPortCount from 60000.
/// @param npuCount without NPUs no ports are chosen for HCCL.
PortChoice choosePorts(const LaunchSpec &spec, const QProcessEnvironment &environment, int npuCount,
                       PortUse use);

/// Returns the port that the ranks meet at when the master is the node of `facts`.
int masterPortOn(const LaunchSpec &spec, const HostFacts &facts);

/// Puts the chosen ports of the node into the launch's options and variables. Where more ranks than NPUs are
/// started, lets HCCL choose ports for each process. Returns a sentence for each change. The master's port of
/// a launch for several nodes is left alone: see masterPortOn().
QList<Sentence> usePorts(LaunchGround &ground);

/// "Port 29500 is taken, so the ranks meet at port 29501.": for a plan's notes.
Sentence portNote(int usual, int chosen);

} // namespace rankdeck
