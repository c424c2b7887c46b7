#include "launch/planning/portchoice.h"

#include "launch/host/portlocks.h"
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
    return !isPortFree(port) || lockerOfPort(port) != 0 || isPortClaimed(port);
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
    if (spec.common.ports != QLatin1String("auto"))
        return 0;
    if (spec.launcher == QLatin1String("msrun") && spec.msrun.masterPort == MsrunOptions().masterPort &&
        !spec.environment.contains(QStringLiteral("MS_SCHED_PORT")))
        return spec.msrun.masterPort;
    if (spec.launcher == QLatin1String("processes") && !spec.processes.standalone &&
        spec.processes.masterPort == ProcessesOptions().masterPort &&
        !spec.environment.contains(QStringLiteral("MASTER_PORT")))
        return spec.processes.masterPort;
    return 0;
}

bool isHcclPortOpen(const LaunchSpec &spec, const QProcessEnvironment &environment)
{
    if (spec.common.ports != QLatin1String("auto"))
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
    const ProcessesOptions &options = ground.spec.processes;
    if (ground.spec.launcher != QLatin1String("processes") || ground.facts.npuCount == 0 ||
        !options.nprocOf.isEmpty() || options.virtualLocalRank)
        return 1;
    return (options.nproc + ground.facts.npuCount - 1) / ground.facts.npuCount;
}

static bool isForOneNode(const LaunchSpec &spec)
{
    return spec.launcher == QLatin1String("msrun") ? spec.msrun.workerNum == spec.msrun.localWorkerNum
                                                   : spec.processes.nnodes == 1;
}

int masterPortOn(const LaunchSpec &spec, const HostFacts &facts)
{
    const int own =
        spec.launcher == QLatin1String("msrun") ? spec.msrun.masterPort : spec.processes.masterPort;
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
    if (const int usual = openMasterPort(spec); usual > 0 && isForOneNode(spec)) {
        const int port = masterPortOn(spec, ground.facts);
        (spec.launcher == QLatin1String("msrun") ? spec.msrun.masterPort : spec.processes.masterPort) = port;
        if (port != usual)
            notes << portNote(usual, port);
    }
    if (!isHcclPortOpen(spec, ground.facts.environment))
        return notes;
    if (ranksPerNpu(ground) > 1) {
        const QString range = QStringLiteral("auto");
        spec.environment.insert(QStringLiteral("HCCL_HOST_SOCKET_PORT_RANGE"), range);
        if (!ground.facts.environment.contains(QStringLiteral("HCCL_NPU_SOCKET_PORT_RANGE")) &&
            !spec.environment.contains(QStringLiteral("HCCL_NPU_SOCKET_PORT_RANGE")))
            spec.environment.insert(QStringLiteral("HCCL_NPU_SOCKET_PORT_RANGE"), range);
        notes << Sentence::tr("Several ranks share an NPU, so HCCL chooses ports for each of them "
                              "(HCCL_HOST_SOCKET_PORT_RANGE=auto, HCCL_NPU_SOCKET_PORT_RANGE=auto).");
    } else if (ground.facts.ports.hccl > 0) {
        spec.environment.insert(QStringLiteral("HCCL_IF_BASE_PORT"),
                                QString::number(ground.facts.ports.hccl));
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
