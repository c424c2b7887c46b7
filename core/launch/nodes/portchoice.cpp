#include "launch/nodes/portchoice.h"

#include "launch/host/portlocks.h"
#include "launch/options/launchers.h"
#include "launch/text/environmentrules.h"

namespace rankdeck
{

namespace
{

/// How many ports after the default are tried for the master.
constexpr int mostTries = 500;
constexpr int lastPort = 65535;
constexpr int usualHcclPort = 60000;

bool isTaken(int port)
{
    return !isPortFree(port) || isPortReserved(port) || isPortClaimed(port);
}

bool isBlockTaken(int base)
{
    for (int port = base; port < base + hcclHostPortCount; ++port) {
        if (isTaken(port))
            return true;
    }
    return false;
}

/// A claim may have come in between.
bool settle(int port, PortUse use)
{
    return use == PortUse::Look || portLockDirectory().isEmpty() || claimPort(port);
}

int freeMasterPort(int wanted, PortUse use)
{
    for (int port = wanted; port < wanted + mostTries; ++port) {
        if (!isTaken(port) && settle(port, use))
            return port;
    }
    return wanted; // The check before the start names its holder.
}

int freeHcclPort(PortUse use)
{
    for (int base = usualHcclPort; base + hcclHostPortCount <= lastPort; base += hcclHostPortCount) {
        if (!isBlockTaken(base) && settle(base, use))
            return base;
    }
    return usualHcclPort;
}

int otherThan(int usual, int chosen)
{
    return chosen == usual ? 0 : chosen;
}

} // namespace

int openMasterPort(const LaunchSpec &spec)
{
    const Launcher *launcher = findLauncher(spec.launcher);
    if (!launcher || !launcher->masterPort || spec.common.ports != "auto"_L1 || spec.processes.standalone ||
        spec.environment.contains(QLatin1String(launcher->masterPortVariable)))
        return 0;
    const int usual = valueIn(launcher->defaults(), launcher->masterPort);
    return valueIn(spec, launcher->masterPort) == usual ? usual : 0;
}

/// Returns true if --ports allows another block of HCCL's host ports: neither `spec` nor `environment` sets
/// HCCL_IF_BASE_PORT or HCCL_HOST_SOCKET_PORT_RANGE.
static bool isHcclPortOpen(const LaunchSpec &spec, const QProcessEnvironment &environment)
{
    if (spec.common.ports != "auto"_L1)
        return false;
    for (const char *name : {"HCCL_IF_BASE_PORT", "HCCL_HOST_SOCKET_PORT_RANGE"}) {
        const QString variable = QLatin1String(name);
        if (spec.environment.contains(variable) || environment.contains(variable))
            return false;
    }
    return true;
}

static int ranksPerNpu(const LaunchGround &ground)
{
    const LaunchSpec &spec = ground.spec;
    const Launcher *launcher = findLauncher(spec.launcher);
    if (!launcher || !launcher->sharingRanks || ground.facts.npuCount == 0 ||
        !spec.processes.nprocOf.isEmpty() || spec.processes.virtualLocalRank)
        return 1;
    return (valueIn(spec, launcher->sharingRanks) + ground.facts.npuCount - 1) / ground.facts.npuCount;
}

int masterPortOn(const LaunchSpec &spec, const HostFacts &facts)
{
    const Launcher *launcher = findLauncher(spec.launcher);
    const int own = launcher && launcher->masterPort ? valueIn(spec, launcher->masterPort) : 0;
    return facts.ports.master > 0 && openMasterPort(spec) > 0 ? facts.ports.master : own;
}

Sentence portNote(int usual, int chosen)
{
    return Sentence::tr("Port %1 is in use or reserved, so the ranks meet at port %2.")
        .arg(usual)
        .arg(chosen);
}

QList<Sentence> usePorts(LaunchGround &ground)
{
    QList<Sentence> notes;
    LaunchSpec &spec = ground.spec;
    const Launcher *launcher = findLauncher(spec.launcher);
    if (const int usual = openMasterPort(spec); usual > 0 && launcher->nodeCount(spec) == 1) {
        const int port = masterPortOn(spec, ground.facts);
        launcher->masterPort(spec) = port;
        if (port != usual)
            notes << portNote(usual, port);
    }
    if (!isHcclPortOpen(spec, ground.facts.environment))
        return notes;
    if (ranksPerNpu(ground) > 1) {
        const QString range = u"auto"_s;
        spec.environment.insert(u"HCCL_HOST_SOCKET_PORT_RANGE"_s, range);
        if (!ground.facts.environment.contains(u"HCCL_NPU_SOCKET_PORT_RANGE"_s) &&
            !spec.environment.contains(u"HCCL_NPU_SOCKET_PORT_RANGE"_s))
            spec.environment.insert(u"HCCL_NPU_SOCKET_PORT_RANGE"_s, range);
        notes << Sentence::tr("Several ranks share an NPU, so HCCL chooses ports for each of them "
                              "(HCCL_HOST_SOCKET_PORT_RANGE=auto, HCCL_NPU_SOCKET_PORT_RANGE=auto).");
    } else if (ground.facts.ports.hccl > 0) {
        spec.environment.insert(u"HCCL_IF_BASE_PORT"_s, QString::number(ground.facts.ports.hccl));
        notes << Sentence::tr("HCCL's usual ports are in use or reserved, so HCCL_IF_BASE_PORT is %1.")
                     .arg(ground.facts.ports.hccl);
    }
    return notes;
}

PortChoice choosePorts(const LaunchSpec &spec, const QProcessEnvironment &environment, int npuCount,
                       PortUse use)
{
    PortChoice choice;
    if (const int wanted = openMasterPort(spec); wanted > 0)
        choice.master = otherThan(wanted, freeMasterPort(wanted, use));
    if (npuCount > 0 && isHcclPortOpen(spec, environment))
        choice.hccl = otherThan(usualHcclPort, freeHcclPort(use));
    return choice;
}

} // namespace rankdeck
