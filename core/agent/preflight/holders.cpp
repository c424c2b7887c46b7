#include "agent/preflight/holders.h"

#include "agent/preflight/openruns.h"
#include "agent/preflight/preflight.h"
#include "agent/preflight/preflightcheck.h"
#include "base/listcomma.h"
#include "base/numberranges.h"
#include "base/username.h"
#include "device/sampling/devicealarm.h"
#include "device/sampling/devicetool.h"
#include "launch/host/hostfacts.h"
#include "launch/host/portlocks.h"
#include "run/control/runclient.h"
#include "run/record/rundirectory.h"
#include "run/strays/strays.h"

#include <QLocale>
#include <QSysInfo>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr std::chrono::seconds npuSmiLimit{3};
/// Limit if the launch asks for free memory: npu-smi takes 5 s on some machines of eight cards.
constexpr std::chrono::seconds npuSmiLimitForMemory{15};

/// Returns the devices of the workers on this plan's node, or only of the living ones in `run`.
QList<int> devicesOf(const LaunchPlan &plan, const QProcessEnvironment &environment,
                     const RunState *run = nullptr)
{
    QList<int> devices;
    for (std::size_t index = 0; index < plan.processes.size(); ++index) {
        const ProcessPlan &process = plan.processes[index];
        const bool hasEnded = run && index < run->ranks.size() && run->ranks[index].status;
        if (process.role == Role::Worker && process.node == plan.thisNode && !hasEnded)
            devices << deviceOf(process, environment);
    }
    return sortedOnce(devices);
}

QList<int> common(const QList<int> &one, const QList<int> &other)
{
    QList<int> both;
    std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(both));
    return both;
}

QString described(const ProcessInfo &process)
{
    const QString user = userOf(process.pid);
    return user.isEmpty() ? nameOf(process) : tr("%1 of %2").arg(nameOf(process), user);
}

Holder holderFor(const OpenRun &run)
{
    Holder holder;
    holder.run = run.record.name;
    holder.directory = run.directory;
    holder.isLost = run.isLost;
    if (!run.isShare)
        return holder;
    const QString directory = runsDirectory() + '/'_L1 + run.record.name;
    const auto whole = readRunRecord(directory);
    holder.isShare = !whole || whole->plan.transport.isEmpty(); // Another machine's of the same name.
    if (!holder.isShare)
        holder.directory = directory;
    else if (run.record.guardian && run.record.guardian->host != QSysInfo::machineHostName())
        holder.launchedFrom = run.record.guardian->host;
    return holder;
}

/// Returns the live run as a holder of `wanted`; nothing if it uses none of them.
std::optional<Holder> holderOfDevices(const OpenRun &run, const QList<int> &wanted)
{
    if (!run.record.plan.transport.isEmpty() || run.record.plan.adopted)
        return std::nullopt; // Each node reports its own share; an adopted run counts as a foreign process.
    const QProcessEnvironment environment = startEnvironment(run.supervisor());
    if (common(devicesOf(run.record.plan, environment), wanted).isEmpty())
        return std::nullopt;
    const auto state = run.state();
    Holder holder = holderFor(run);
    holder.devices = common(devicesOf(run.record.plan, environment, state ? &*state : nullptr), wanted);
    return holder.devices.isEmpty() ? std::nullopt : std::optional(holder);
}

/// Returns the living processes of the lost run as a holder of `wanted`.
std::optional<Holder> leftHolderOfDevices(const OpenRun &run, const QList<int> &wanted)
{
    Holder holder = holderFor(run);
    for (const Leftover &leftover : run.leftovers) {
        const ProcessPlan &plan = run.record.plan.processes[static_cast<std::size_t>(leftover.rank)];
        const int device = deviceOf(plan, startEnvironment(leftover.process.pid));
        if (plan.role != Role::Worker || !wanted.contains(device))
            continue;
        holder.who << described(leftover.process);
        if (!holder.devices.contains(device))
            holder.devices << device;
    }
    std::ranges::sort(holder.devices);
    return holder.who.isEmpty() ? std::nullopt : std::optional(holder);
}

void addHoldersOfPort(QList<Holder> &holders, int port, const QList<OpenRun> &runs)
{
    const PortListeners listeners = listenersOn(port);
    for (const ProcessInfo &process : listeners.processes) {
        const OpenRun *run = runOf(process.pid, runs);
        const auto known = std::ranges::find_if(
            holders, [run](const Holder &holder) { return run && holder.directory == run->directory; });
        if (known != holders.end()) {
            known->port = port;
            continue;
        }
        Holder holder = run ? holderFor(*run) : Holder();
        holder.port = port;
        if (!run || run->isLost)
            holder.who << described(process);
        holders << holder;
    }
    if (!listeners.otherUser.isEmpty()) {
        Holder holder;
        holder.port = port;
        holder.who << tr("a process of %1").arg(listeners.otherUser);
        holders << holder;
    }
}

/// A foreign process on devices.
struct Stranger {
    DeviceUser user;
    const OpenRun *run = nullptr; ///< A run of ours that it belongs to.
    QList<int> devices;
    std::optional<qint64> memoryMb; ///< On all devices together.
};

Holder holderFor(const Stranger &stranger)
{
    Holder holder = stranger.run ? holderFor(*stranger.run) : Holder();
    holder.devices = stranger.devices;
    const DeviceUser &user = stranger.user;
    // For a process outside of this pid namespace, only the host's pid is known.
    QStringList details{tr("pid %1").arg(user.ownPid > 0 ? user.ownPid : user.process.pid)};
    if (stranger.memoryMb)
        details << tr("%1 MB").arg(QLocale::c().toString(*stranger.memoryMb));
    if (user.user.isEmpty())
        details << tr("not visible from here");
    const QString who = inBrackets(user.process.name.isEmpty() ? tr("a process") : user.process.name,
                                   details.join(listComma()));
    holder.who << (user.user.isEmpty() ? who : tr("%1 of %2").arg(who, user.user));
    return holder;
}

void addUser(QList<Stranger> &strangers, const DeviceUser &user, int device, const QList<OpenRun> &runs)
{
    const auto before = std::ranges::find_if(
        strangers, [&](const Stranger &known) { return known.user.process.pid == user.process.pid; });
    if (before == strangers.end()) {
        const OpenRun *run = user.ownPid > 0 ? runOf(static_cast<pid_t>(user.ownPid), runs) : nullptr;
        strangers << Stranger{user, run, {device}, user.process.memoryMb};
        return;
    }
    before->devices << device;
    if (user.process.memoryMb)
        before->memoryMb = before->memoryMb.value_or(0) + *user.process.memoryMb;
}

} // namespace

int deviceOf(const ProcessPlan &process, const QProcessEnvironment &environment)
{
    const QString name = QLatin1String(visibleDevicesVariable);
    const int number =
        process.device == ProcessPlan::noDevice ? process.localRank.value : process.device.value;
    const QString inherited = process.removeVariables.contains(name) ? QString() : environment.value(name);
    const QString visible = process.setVariables.value(name, inherited);
    const QStringList listed = visible.split(','_L1, Qt::SkipEmptyParts);
    bool isNumber = false;
    const int device = listed.value(number).toInt(&isNumber);
    return isNumber ? device : number;
}

static QString usesText(const Holder &holder, const QString &user)
{
    const QString devices = devicesText(holder.devices);
    if (holder.port <= 0)
        return tr("%1 uses %2.").arg(user, devices);
    if (holder.devices.isEmpty())
        return tr("%1 listens on port %2.").arg(user).arg(holder.port);
    return tr("%1 uses %2 and listens on port %3.").arg(user, devices).arg(holder.port);
}

QString Holder::sentence() const
{
    if (!node.isEmpty()) {
        Holder there = *this;
        there.node.clear();
        return withColon(node, there.sentence());
    }
    if (neededMb > 0)
        return tr("%1 MB of HBM are needed, but on devices %2 only %3 MB are free (on the fullest).",
                  "%1 MB of HBM are needed, but on device %2 only %3 MB are free.",
                  static_cast<int>(devices.size()))
            .arg(QLocale::c().toString(neededMb), numberRanges(devices), QLocale::c().toString(freeMb));
    const QString all = who.join(listComma());
    if (!isOurs())
        return usesText(*this, all);
    const QString uses = usesText(*this, tr("It"));
    if (isLost)
        return tr("The run %1 lost its supervisor, but these processes remain: %2. %3").arg(run, all, uses);
    if (launchedFrom.isEmpty())
        return tr("The run %1 is live. %2").arg(run, uses);
    return tr("The run %1, launched from %2, is live. %3").arg(run, launchedFrom, uses);
}

/// Finds a run that has reserved the port, even if nothing listens on it yet.
static void addRunWithReservation(QList<Holder> &holders, int port, const QList<OpenRun> &runs)
{
    const OpenRun *run = runOf(static_cast<pid_t>(lockerOfPort(port)), runs);
    if (!run)
        return;
    const auto known = std::ranges::find(holders, run->directory, &Holder::directory);
    Holder &holder = known == holders.end() ? holders.emplaceBack(holderFor(*run)) : *known;
    holder.port = port;
}

QList<Holder> findHolders(const LaunchPlan &plan, const QProcessEnvironment &environment)
{
    QList<Holder> holders;
    const QList<OpenRun> runs = openRuns();
    const bool hasNpus = !runs.isEmpty() && (npusInDev() > 0 || !npuSmiPath().isEmpty());
    const QList<int> wanted = hasNpus ? devicesOf(plan, environment) : QList<int>();
    for (const OpenRun &run : runs) {
        if (wanted.isEmpty())
            break;
        const auto holder = run.isLost ? leftHolderOfDevices(run, wanted) : holderOfDevices(run, wanted);
        if (holder)
            holders << *holder;
    }
    const auto port = plannedPort(plan);
    if (port && isPortBusy(port->address, port->port))
        addHoldersOfPort(holders, port->port, runs);
    else if (port)
        addRunWithReservation(holders, port->port, runs);
    bool isTold = false; // A launcher listens on many of HCCL's ports; one message is enough.
    for (const int hcclPort : reservedPorts(plan, environment)) {
        if (port && port->port == hcclPort)
            continue;
        const bool isBusy = !isTold && isPortBusy(QHostAddress(QHostAddress::Any), hcclPort);
        isTold = isTold || isBusy;
        if (isBusy)
            addHoldersOfPort(holders, hcclPort, runs);
        else
            addRunWithReservation(holders, hcclPort, runs);
    }
    return holders;
}

QList<Holder> strangersOnDevices(const LaunchPlan &plan, const QProcessEnvironment &environment,
                                 const DeviceReading &reading, const PidView &view,
                                 const QList<Holder> &known)
{
    const QList<int> wanted = devicesOf(plan, environment);
    const QList<OpenRun> runs = openRuns();
    QList<Stranger> strangers;
    for (qsizetype chip = 0; chip < reading.samples.size(); ++chip) {
        const int device = programNumber(reading.samples, chip);
        const auto processes = reading.samples.at(chip).processes.value_or(QList<DeviceProcess>());
        if (!wanted.contains(device))
            continue;
        for (const DeviceUser &user : joinProcesses(processes, view))
            addUser(strangers, user, device, runs);
    }
    QList<Holder> holders;
    for (const Stranger &stranger : std::as_const(strangers)) {
        const bool isKnown = stranger.run && std::ranges::any_of(known, [&](const Holder &holder) {
                                 return holder.directory == stranger.run->directory;
                             });
        if (!isKnown)
            holders << holderFor(stranger);
    }
    return holders;
}

std::optional<Holder> missingMemory(const LaunchPlan &plan, const QProcessEnvironment &environment,
                                    const DeviceReading &reading)
{
    if (plan.neededHbmMb <= 0)
        return std::nullopt;
    QMap<int, qint64> needed; // By device, on which several ranks may be.
    for (const ProcessPlan &process : plan.processes) {
        if (process.role == Role::Worker && process.node == plan.thisNode)
            needed[deviceOf(process, environment)] += plan.neededHbmMb;
    }
    Holder missing;
    for (qsizetype chip = 0; chip < reading.samples.size(); ++chip) {
        const int device = programNumber(reading.samples, chip);
        const auto free = freeMemoryMb(reading.samples.at(chip));
        if (!free || *free >= needed.value(device))
            continue;
        if (missing.devices.isEmpty() || *free < missing.freeMb) {
            missing.freeMb = static_cast<int>(*free);
            missing.neededMb = static_cast<int>(needed.value(device));
        }
        missing.devices << device;
    }
    std::ranges::sort(missing.devices);
    return missing.devices.isEmpty() ? std::nullopt : std::optional(missing);
}

std::optional<Error> endHolder(const Holder &holder)
{
    return holder.isShare ? endShare(holder.directory) : endRun(holder.directory);
}

Holders findAllHolders(const LaunchPlan &plan, const QProcessEnvironment &environment)
{
    Holders holders{findHolders(plan, environment), {}};
    const QString npuSmi = npuSmiPath();
    if (npuSmi.isEmpty()) {
        if (plan.neededHbmMb > 0)
            holders.npuProblem =
                Error{tr("the free memory of the NPUs was not checked: npu-smi is not installed here"),
                      u"--needs-hbm"_s, QString()};
        return holders;
    }
    const auto reading = askNpuSmi(npuSmi, plan.neededHbmMb > 0 ? npuSmiLimitForMemory : npuSmiLimit);
    if (!reading) {
        holders.npuProblem = reading.error();
        return holders;
    }
    holders.list += strangersOnDevices(plan, environment, *reading, pidViewOfAll(), holders.list);
    if (const auto missing = missingMemory(plan, environment, *reading))
        holders.list << *missing;
    return holders;
}

} // namespace rankdeck
