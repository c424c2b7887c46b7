#include "agent/preflight/hostchecks.h"

#include "agent/preflight/holders.h"
#include "agent/preflight/nodenetwork.h"
#include "agent/preflight/preflight.h"
#include "base/numberranges.h"
#include "device/sample/devicemap.h"
#include "device/sampling/devicealarm.h"
#include "launch/host/hostfacts.h"
#include "launch/plan/attempt.h"
#include "run/process/processsettings.h"
#include "run/record/rundirectory.h"
#include "run/record/runkeeper.h"
#include "run/workers/worker.h"

#include <QDir>
#include <QLocale>
#include <QSet>
#include <QStorageInfo>
#include <QThread>

#include <algorithm>

#include <sys/resource.h>
#include <unistd.h>

namespace rankdeck
{

using Part = PreflightCheck::Part;
using Status = PreflightCheck::Status;

/// Share of an unused chip's memory that its driver may use; usually far less.
constexpr double usedByNobody = 0.1;

static PreflightCheck hostCheck(const char *name, Status status, const QString &sentence,
                                const QString &mend = {})
{
    return {Part::Host, QLatin1String(name), {}, status, sentence, mend};
}

static std::vector<PreflightCheck> healthChecks(const DeviceReading &wanted)
{
    std::vector<PreflightCheck> checks;
    for (const DeviceAlarm &alarm : alarmsBetween({}, wanted)) {
        const bool isMild = healthFromWord(alarm.now) == DeviceHealth::Warning;
        checks.push_back(hostCheck(
            "npu-health", isMild ? Status::Warn : Status::Fail, asSentence(alarm.sentence()),
            tr("Run npu-smi info -t health -i N for details of card N; a reset or a repair may be needed.")));
    }
    const bool isTold = std::ranges::any_of(
        wanted.samples, [](const DeviceSample &sample) { return sample.health.has_value(); });
    if (checks.empty())
        checks.push_back(
            isTold ? hostCheck("npu-health", Status::Pass,
                               tr("%n NPUs are healthy.", "%n NPU is healthy.",
                                  static_cast<int>(wanted.samples.size())))
                   : hostCheck("npu-health", Status::Skipped, tr("The NPUs do not report their health.")));
    return checks;
}

static PreflightCheck memoryCheck(const DeviceReading &wanted, const QList<int> &numbers, int neededMb)
{
    QList<int> full;
    QList<int> tooFull;
    std::optional<qint64> least;
    for (qsizetype index = 0; index < wanted.samples.size(); ++index) {
        const DeviceSample &sample = wanted.samples.at(index);
        const auto free = freeMemoryMb(sample);
        const auto total = sample.hbm.total ? sample.hbm.total : sample.ddr.total;
        if (!free || !total)
            continue;
        least = std::min(least.value_or(*free), *free);
        if (*free < neededMb)
            tooFull << numbers.at(index);
        if (static_cast<double>(*free) < (1 - usedByNobody) * static_cast<double>(*total))
            full << numbers.at(index);
    }
    if (!least)
        return hostCheck("npu-memory", Status::Skipped, tr("The NPUs do not report their free memory."));
    const QString room = QLocale::c().toString(*least);
    if (!tooFull.isEmpty())
        return hostCheck(
            "npu-memory", Status::Fail,
            tr("%1 MB are needed on each NPU, but devices %2 have less free: %3 MB on the fullest.",
               "%1 MB are needed on each NPU, but device %2 has less free: %3 MB.",
               static_cast<int>(tooFull.size()))
                .arg(QLocale::c().toString(neededMb), numberRanges(tooFull), room),
            tr("Run rankdeckctl devices to see what uses the rest."));
    if (full.isEmpty())
        return hostCheck("npu-memory", Status::Pass, tr("At least %1 MB are free on each NPU.").arg(room));
    return hostCheck("npu-memory", Status::Warn,
                     tr("Memory is in use on devices %1; %2 MB are free on the fullest.",
                        "Memory is in use on device %1; %2 MB are free.", static_cast<int>(full.size()))
                         .arg(numberRanges(full), room),
                     tr("Run rankdeckctl devices to see which processes use it."));
}

constexpr qint64 gibibyte = qint64(1) << 30;
/// Logs of a run that fails, with what CANN writes at every rank, come to this.
constexpr qint64 littleLogRoom = 5 * gibibyte;
constexpr qint64 noLogRoom = gibibyte / 10;
/// The default of a container is 64 MiB; data loader workers pass their batches through it.
constexpr qint64 littleSharedMemory = gibibyte;
constexpr rlim_t fewOpenFiles = 4096; ///< A rank opens a socket to others, its workers' pipes and its files.
constexpr rlim_t fewProcesses = 4096;
constexpr unsigned long againAfterMs = 50;

static PreflightCheck passed(const char *name, const QString &sentence)
{
    return hostCheck(name, Status::Pass, sentence);
}

/// Passes if there is enough, else warns.
static PreflightCheck enoughCheck(const char *name, bool isEnough, const QString &sentence,
                                  const QString &mend)
{
    return isEnough ? passed(name, sentence) : hostCheck(name, Status::Warn, sentence, mend);
}

static QString sizeText(qint64 bytes)
{
    return QLocale::c().formattedDataSize(bytes, 1, QLocale::DataSizeIecFormat);
}

static PreflightCheck portCheck(const LaunchPlan &share, const std::optional<Error> &problem)
{
    if (problem)
        return checkOf(Part::Host, u"master-port"_s, Status::Fail, *problem);
    const auto planned = plannedPort(share);
    if (!planned)
        return hostCheck("master-port", Status::Skipped,
                         tr("Nothing of this node's share listens on a selected port."));
    return passed("master-port", tr("Port %1 is free for %2.").arg(planned->port).arg(planned->user.who));
}

/// Returns the checks that every launch makes before it starts, and the port's by itself.
static std::vector<PreflightCheck> startChecks(const LaunchPlan &share,
                                               const QProcessEnvironment &environment)
{
    std::vector<PreflightCheck> checks;
    const auto portProblem = problemWithPlannedPort(share);
    auto problem = preflight(share, environment);
    // The launch checks the port last of all, and may name another free one each time.
    if (problem && portProblem && problem->what == portProblem->what)
        problem.reset();
    if (!problem)
        problem = problemWithScripts(share, environment);
    const ProcessPlan *worker = firstWorker(share);
    if (problem) {
        checks.push_back(checkOf(Part::Host, u"programs"_s, Status::Fail, *problem));
    } else if (worker) {
        const ProgramSearch program =
            findProgram(worker->ownCommand().value(0), worker->workDir, searchPathFor(*worker, environment));
        const QString script = scriptOf(worker->ownCommand());
        const QString path = script.isEmpty() ? QString() : QDir(worker->workDir).absoluteFilePath(script);
        if (!path.isEmpty() && QFileInfo::exists(path) && !QFileInfo(path).isReadable())
            checks.push_back(checkOf(Part::Host, u"programs"_s, Status::Fail,
                                     {tr("the script cannot be read"), path, tr("Check its permissions.")}));
        else
            checks.push_back(passed(
                "programs", path.isEmpty()
                                ? tr("%1 can be started.").arg(program.path)
                                : tr("%1 can be started, and %2 can be read.").arg(program.path, path)));
    }
    checks.push_back(portCheck(share, portProblem));
    return checks;
}

/// The folder of `path`, or the nearest above it that is there.
static std::vector<PreflightCheck> diskChecks(const LaunchPlan &share)
{
    QStringList folders{existingFolder(runsDirectory())};
    for (const ProcessPlan &process : share.processes) {
        for (const QString &file : writtenFiles(process)) {
            if (file.isEmpty() || file.startsWith(QLatin1String(runDirectoryPlaceholder)))
                continue;
            folders << existingFolder(QFileInfo(forAttempt(share, file, 0)).path());
        }
    }
    std::vector<PreflightCheck> checks;
    QSet<QByteArray> devices;
    for (const QString &folder : folders) {
        const QStorageInfo storage(folder);
        if (devices.contains(storage.device()))
            continue;
        devices.insert(storage.device());
        const qint64 room = storage.bytesAvailable();
        const QString sentence = tr("%1 free for logs in %2.").arg(sizeText(room), folder);
        if (room >= littleLogRoom)
            checks.push_back(passed("log-space", sentence));
        else
            checks.push_back(hostCheck("log-space", room < noLogRoom ? Status::Fail : Status::Warn, sentence,
                                       tr("Free some space, or name another directory with --log-dir.")));
    }
    return checks;
}

static PreflightCheck sharedMemoryCheck()
{
    const QStorageInfo storage(u"/dev/shm"_s);
    if (!storage.isValid() || storage.fileSystemType() != "tmpfs")
        return hostCheck("shared-memory", Status::Warn, tr("/dev/shm is missing on this node."),
                         tr("Mount a tmpfs there: data loader workers pass their batches through it."));
    const QString sentence = tr("%1 of %2 free in /dev/shm.")
                                 .arg(sizeText(storage.bytesAvailable()), sizeText(storage.bytesTotal()));
    return enoughCheck("shared-memory", storage.bytesAvailable() >= littleSharedMemory, sentence,
                       tr("Remove leftover files there, or give the container more (docker run --shm-size "
                          "16g): data loader workers pass their batches through it."));
}

static std::vector<PreflightCheck> limitChecks(const LaunchPlan &share)
{
    const ProcessPlan *worker = firstWorker(share);
    const rlim_t files = worker && worker->openFiles > 0 ? static_cast<rlim_t>(worker->openFiles)
                                                         : inheritedLimit(RLIMIT_NOFILE);
    const auto text = [](rlim_t limit) {
        return limit == RLIM_INFINITY ? tr("unlimited") : QString::number(limit);
    };
    const rlim_t processes = inheritedLimit(RLIMIT_NPROC);
    return {enoughCheck("open-files", files >= fewOpenFiles,
                        tr("Open files per process: %1.").arg(text(files)),
                        tr("Launch with --open-files 65536: ranks open sockets to each other and files "
                           "for data loader workers.")),
            // The limit does not count for root.
            enoughCheck("processes-limit", processes >= fewProcesses || geteuid() == 0,
                        tr("Processes and threads per user: %1.").arg(text(processes)),
                        tr("Raise the limit (ulimit -u 65536): each rank starts about a hundred threads."))};
}

static PreflightCheck npuCheck(const LaunchPlan &share, const QProcessEnvironment &environment)
{
    const int npus = npusInDev();
    if (npus == 0)
        return hostCheck("npus", Status::Skipped, tr("The driver lists no NPU in /dev on this node."));
    QList<int> missing;
    for (const ProcessPlan &process : share.processes) {
        if (process.role != Role::Worker)
            continue;
        const QString visible = effectiveValue(process, environment, u"ASCEND_RT_VISIBLE_DEVICES"_s);
        if (const auto error = problemWithVisibleDevices(visible, npus))
            return checkOf(Part::Host, u"npus"_s, Status::Fail, *error);
        const int device = deviceOf(process, environment);
        if (device >= npus && !missing.contains(device))
            missing << device;
    }
    std::ranges::sort(missing);
    if (missing.isEmpty())
        return passed("npus", tr("The driver lists %n NPUs in /dev, all that are needed.",
                                 "The driver lists %n NPU in /dev, all that is needed.", npus));
    return hostCheck("npus", Status::Fail,
                     tr("The driver lists %n NPUs in /dev; these needed devices are missing: %1.",
                        "The driver lists %n NPU in /dev; these needed devices are missing: %1.", npus)
                         .arg(numberRanges(missing)),
                     tr("Launch fewer ranks here, or mount the devices into the container."));
}

static std::vector<PreflightCheck> holderChecks(const LaunchPlan &share,
                                                const QProcessEnvironment &environment)
{
    const Holders holders = findAllHolders(share, environment);
    std::vector<PreflightCheck> checks;
    if (holders.npuProblem)
        checks.push_back(checkOf(Part::Host, u"holders"_s, Status::Warn, *holders.npuProblem));
    for (const Holder &holder : holders.list) {
        const QString mend =
            holder.isOurs() ? tr("Stop it (%1), or launch with --stop-holders.").arg(holder.stopCommand())
                            : tr("Ask its owner to end it, or use other devices.");
        checks.push_back(hostCheck("holders", Status::Fail, holder.sentence(), mend));
    }
    if (checks.empty())
        checks.push_back(passed("holders", tr("Its devices and its port are free.")));
    return checks;
}

static PreflightCheck hcclPortCheck(const VariableLookup &valueOf)
{
    const int base = hcclBasePort(valueOf);
    QList<int> busy{hcclNpuPort};
    for (int port = base; port < base + hcclHostPortCount; ++port)
        busy << port;
    const auto isFree = [](int port) {
        return !isPortBusy(QHostAddress(QHostAddress::Any), port);
    };
    busy.erase(std::remove_if(busy.begin(), busy.end(), isFree), busy.end());
    // Another preflight may just have looked.
    if (!busy.isEmpty())
        QThread::msleep(againAfterMs);
    busy.erase(std::remove_if(busy.begin(), busy.end(), isFree), busy.end());
    const bool isNpuPortBusy = busy.contains(hcclNpuPort);
    if (busy.isEmpty())
        return passed("hccl-ports", tr("Ports %1-%2 and %3, where HCCL listens, are free.")
                                        .arg(base)
                                        .arg(base + hcclHostPortCount - 1)
                                        .arg(hcclNpuPort));
    return hostCheck(
        "hccl-ports", Status::Fail, tr("Ports that HCCL needs are in use: %1.").arg(numberRanges(busy)),
        isNpuPortBusy ? tr("End the process that listens there (see ss -ltnp), or set "
                           "HCCL_NPU_SOCKET_PORT_RANGE=auto and another HCCL_IF_BASE_PORT on every node.")
                      : tr("End the process that listens there (see ss -ltnp), or set another "
                           "HCCL_IF_BASE_PORT on every node."));
}

std::vector<PreflightCheck> npuSampleChecks(const Result<DeviceReading> &reading, const QList<int> &devices,
                                            int neededMb)
{
    if (!reading)
        return {checkOf(Part::Host, u"npu-health"_s, Status::Warn, reading.error())};
    DeviceReading wanted = *reading;
    wanted.samples = {};
    QList<int> numbers;
    for (qsizetype index = 0; index < reading->samples.size(); ++index) {
        const int number = programNumber(reading->samples, index);
        if (!devices.contains(number))
            continue;
        wanted.samples << reading->samples.at(index);
        numbers << number;
    }
    std::vector<PreflightCheck> checks;
    QList<int> missing;
    std::copy_if(devices.begin(), devices.end(), std::back_inserter(missing),
                 [&](int device) { return !numbers.contains(device); });
    if (!missing.isEmpty())
        checks.push_back(hostCheck(
            "npus-listed", Status::Fail,
            tr("Devices %1 are needed, but the driver does not list them.").arg(numberRanges(missing)),
            tr("Launch fewer ranks here, or run rankdeckctl devices to list the devices.")));
    if (wanted.samples.isEmpty())
        return checks;
    const auto health = healthChecks(wanted);
    checks.insert(checks.end(), health.begin(), health.end());
    checks.push_back(memoryCheck(wanted, numbers, neededMb));
    return checks;
}

const ProcessPlan *firstWorker(const LaunchPlan &share)
{
    const auto worker = std::ranges::find(share.processes, Role::Worker, &ProcessPlan::role);
    return worker == share.processes.end() ? nullptr : &*worker;
}

std::vector<PreflightCheck> hostChecks(const LaunchPlan &share, const QProcessEnvironment &environment)
{
    std::vector<PreflightCheck> checks = startChecks(share, environment);
    const auto add = [&](std::vector<PreflightCheck> more) {
        std::move(more.begin(), more.end(), std::back_inserter(checks));
    };
    add(diskChecks(share));
    checks.push_back(sharedMemoryCheck());
    add(limitChecks(share));
    checks.push_back(npuCheck(share, environment));
    add(holderChecks(share, environment));
    if (const ProcessPlan *worker = firstWorker(share)) {
        const VariableLookup valueOf = [&](const QString &name) {
            return effectiveValue(*worker, environment, name);
        };
        checks.push_back(hcclPortCheck(valueOf));
        checks.push_back(networkCardCheck(valueOf, networkCards()));
    }
    return checks;
}

} // namespace rankdeck
