#include "agent/supervise/launcher.h"

#include "agent/preflight/logreservation.h"
#include "agent/preflight/preflight.h"
#include "base/program.h"
#include "launch/nodes/planlaunch.h"
#include "run/process/logout.h"
#include "run/process/processsettings.h"
#include "run/record/rundirectory.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>

namespace rankdeck
{

static std::optional<Error> startSupervisor(const QString &program, const QString &directory)
{
    const QString output = directory + u"/supervisor.log"_s;
    QProcess process;
    process.setProgram(program);
    process.setArguments({u"supervise"_s, directory});
    process.setWorkingDirectory(u"/"_s);
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(output, QIODevice::Append);
    process.setStandardErrorFile(output, QIODevice::Append);
    keepFromChildren(); // Files that the shell has locked are free as soon as this process has ended.
    restoreLimits();    // The ranks are to have them. Qt 6.4 runs no child modifier in a detached process.
    qint64 pid = 0;
    const bool isStarted = process.startDetached(&pid);
    raiseLimits();
    if (!isStarted)
        return Error{tr("the supervisor cannot be started: %1").arg(problemOf(process)), program, {}};
    markLive(directory, supervisorIdOf(pid));
    return std::nullopt;
}

/// Makes the logs below the run directory; an adopted process has its own logs elsewhere.
static std::optional<Error> makeOwnLogs(const LaunchPlan &plan, const QString &directory)
{
    for (const ProcessPlan &process : plan.processes) {
        QFile log(process.logFile);
        if (!process.logFile.startsWith(directory + '/'_L1))
            continue;
        if (!QDir().mkpath(QFileInfo(process.logFile).path()) || !log.open(QIODevice::Append))
            return Error{tr("cannot create the log: %1").arg(problemOf(log)), process.logFile, {}};
    }
    return std::nullopt;
}

std::optional<Error> problemWithoutTable(const LaunchSpec &spec, const HostFacts &facts)
{
    // Any table will do, and the smallest has one device.
    RankTable table;
    table.status = u"completed"_s;
    table.servers.push_back({{}, {}, 0, {{DeviceId(0), {}, Rank(0)}}});
    LaunchSpec anyRanks = spec;
    anyRanks.common.rankEnvironment.clear();
    anyRanks.server.clear();
    const Result<LaunchPlan> plan = planNode(anyRanks, table, u"/"_s, facts);
    if (!plan)
        return plan.error();
    // Named nodes have their own programs and directories.
    return facts.transport.isEmpty() ? preflight(*plan, facts.environment) : std::nullopt;
}

Result<QString> startRun(const LaunchSpec &spec, LaunchPlan plan, bool isTied)
{
    if (plan.processes.empty())
        return Error{tr("the plan has no process to start"), {}, {}};
    const auto program = rankdeckctlPath();
    if (!program)
        return program.error();
    if (!plan.adopted) {
        if (const auto error = preflight(plan, QProcessEnvironment::systemEnvironment()))
            return *error;
    }
    RunRecord record;
    record.spec = spec;
    record.plan = std::move(plan);
    if (isTied)
        record.tiedTo = thisSupervisor();
    if (const Sentence warning = logoutWarning(logoutFacts()); !warning.isEmpty())
        record.plan.notes << warning;
    const auto directory = createRunDirectory(record);
    if (!directory)
        return directory.error();
    LogReservation logs;
    std::optional<Error> error;
    if (record.plan.adopted)
        error = makeOwnLogs(record.plan, *directory);
    else if (record.plan.transport.isEmpty()) // Named nodes make their own.
        error = makeFiles(record.plan, logs);
    if (!error)
        error = writeRunRecord(*directory, record);
    if (!error)
        error = logs.empty();
    if (!error) {
        markLive(*directory);
        error = startSupervisor(*program, *directory);
    }
    if (error) {
        unmarkLive(*directory);
        QDir(*directory).removeRecursively();
        return *error;
    }
    logs.keep();
    return *directory;
}

} // namespace rankdeck
