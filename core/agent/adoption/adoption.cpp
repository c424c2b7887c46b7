#include "agent/adoption/adoption.h"

#include "agent/preflight/openruns.h"
#include "base/username.h"
#include "launch/planning/launchbasics.h"
#include "launch/text/commandline.h"
#include "run/strays/strays.h"
#include "run/workers/openfiles.h"
#include "run/workers/ranksearch.h"

#include <QFile>
#include <QFileInfo>
#include <QSysInfo>

#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

/// Returns why a process that exists is not one to watch, and then perhaps to kill with all that is below it.
std::optional<Error> problemWithTree(const ProcessInfo &process)
{
    const QString place = QString::number(process.pid);
    const QString mend = tr("Give the launcher, or a rank; \"ps -u $USER f\" shows which it is.");
    if (process.pid == 1)
        return Error{tr("process 1 is above all processes of this machine or container"), place, mend};
    if (isRankdeck(process))
        return Error{tr("the process is one of Rankdeck's own"), place, mend};
    for (const ProcessInfo &below : descendants(process.pid)) {
        if (below.pid == getpid())
            return Error{tr("the process is above this command"), place, mend};
        if (isRankdeck(below))
            return Error{tr("Rankdeck runs below the process, as process %1").arg(below.pid), place, mend};
    }
    return std::nullopt;
}

/// Returns why this process cannot be watched.
std::optional<Error> problemWith(pid_t pid)
{
    const QString place = QString::number(pid);
    const auto process = readProcess(pid);
    const auto owner = ownerOf(pid);
    if (!process || !owner || process->state == 'Z')
        return Error{tr("there is no such process any more"), place,
                     tr("List your processes with \"ps -u $USER\".")};
    if (*owner != geteuid())
        return Error{tr("the process belongs to %1").arg(userName(*owner)), place,
                     tr("Only your own processes can be watched; run this as that user.")};
    if (const auto error = problemWithTree(*process))
        return error;
    const QList<OpenRun> runs = openRuns();
    for (const OpenRun &run : runs) {
        const auto &adopted = run.record.plan.adopted;
        if (!run.isLost && adopted && adopted->pid == pid && adopted->startTime == process->startTime)
            return Error{tr("the run %1 watches this process already").arg(run.record.name), place,
                         tr("Open it with \"rankdeckctl attach %1\".").arg(run.record.name)};
    }
    if (const OpenRun *run = runOf(pid, runs))
        return Error{tr("the process belongs to the run %1 of Rankdeck").arg(run->record.name), place,
                     tr("Open it with \"rankdeckctl attach %1\".").arg(run->record.name)};
    return std::nullopt;
}

/// The ranks that run below a process, and the rank that it is itself.
struct RanksOf {
    std::map<int, RankSearch::Rank> below;
    std::optional<RankWords> own;
};

RanksOf ranksOf(const ProcessInfo &process)
{
    const QProcessEnvironment environment = startEnvironment(process.pid);
    RanksOf ranks;
    ranks.below =
        RankSearch(environment).look(descendants(process.pid), process.pid, [](const ProcessInfo &each) {
            return startEnvironment(each.pid);
        });
    // The script of a batch job has the number of a task too.
    const bool isBatchScript = environment.contains(u"SLURM_PROCID"_s) &&
                               !environment.contains(u"SLURM_STEP_ID"_s) && !environment.contains(u"RANK"_s);
    if (ranks.below.empty() && !isBatchScript)
        ranks.own = rankWords(environment, {});
    return ranks;
}

/// Returns the file that a stream of a process goes to, directly or by `tee`.
QString fileOfStream(pid_t pid, int descriptor)
{
    const QString file = openFile(pid, descriptor);
    return file.isEmpty() ? fileBehindPipe(pid, descriptor) : file;
}

ProcessPlan planOfLauncher(pid_t pid, QList<Sentence> &notes)
{
    ProcessPlan plan;
    plan.role = Role::Console;
    plan.rank = Rank(0);
    plan.argv = commandOf(pid);
    plan.workDir = QFile::symLinkTarget(u"/proc/%1/cwd"_s.arg(pid));
    plan.logFile = fileOfStream(pid, STDOUT_FILENO);
    plan.stderrFile = fileOfStream(pid, STDERR_FILENO);
    if (plan.stderrFile == plan.logFile)
        plan.stderrFile.clear();
    if (plan.logFile.isEmpty())
        plan.logFile = std::exchange(plan.stderrFile, {});
    if (plan.logFile.isEmpty()) {
        plan.logFile = inRunDirectory(u"/logs/console.log"_s);
        notes << Sentence::tr("The output of process %1 goes to no file, so it is not shown.").arg(pid);
    }
    return plan;
}

ProcessPlan planOfRank(const ProcessInfo &process, const RankWords &words, QList<Sentence> &notes)
{
    ProcessPlan plan = foundPlan({process, words}, startEnvironment(process.pid), {});
    if (plan.logFile.isEmpty())
        plan.logFile = fileBehindPipe(process.pid, STDOUT_FILENO);
    if (plan.logFile.isEmpty()) {
        plan.logFile = inRunDirectory(u"/logs/rank-%1.log"_s.arg(words.rank));
        notes
            << Sentence::tr("The output of process %1 goes to no file, so it is not shown.").arg(process.pid);
    }
    plan.console = Streams::All;
    // An orphan has lost its launcher.
    if (process.parent > 1 && ownerOf(process.parent) == geteuid())
        notes << Sentence::tr("Process %1 is rank %2. To watch all ranks, adopt their launcher: process %3.")
                     .arg(process.pid)
                     .arg(words.rank)
                     .arg(process.parent);
    return plan;
}

} // namespace

Adoption adoptionOf(const AdoptedProcess &adopted, ProcessPlan top)
{
    Adoption adoption{wrapDefaults(), {}};
    adoption.spec.command = top.argv;
    adoption.spec.workDir = top.workDir;
    LaunchPlan &plan = adoption.plan;
    plan.launcher = u"adopt"_s;
    plan.thisNode = QSysInfo::machineHostName();
    plan.rankTable.status = u"completed"_s;
    plan.destroyWhenFinished = false;
    plan.adopted = adopted;
    top.device = ProcessPlan::noDevice;
    top.isFound = true;
    top.node = plan.thisNode;
    plan.processes.push_back(std::move(top));
    return adoption;
}

Result<Adoption> adoptProcess(pid_t pid)
{
    if (const auto error = problemWith(pid))
        return *error;
    const auto process = readProcess(pid);
    const RanksOf ranks = process ? ranksOf(*process) : RanksOf();
    QList<Sentence> notes;
    const ProcessPlan top =
        process && ranks.own ? planOfRank(*process, *ranks.own, notes) : planOfLauncher(pid, notes);
    if (!process || top.argv.isEmpty())
        return Error{tr("there is no such process any more"), QString::number(pid),
                     tr("List your processes with \"ps -u $USER\".")};
    Adoption adoption = adoptionOf({pid, process->startTime, {}}, top);
    LaunchPlan &plan = adoption.plan;
    plan.notes = notes;
    plan.notes.prepend(
        Sentence::tr("Rankdeck watches process %1, which it did not start: %2. Stopping the run "
                     "ends the watching, not the process.")
            .arg(pid)
            .arg(shortCommand(top.argv)));
    plan.name = launchName(adoption.spec);
    plan.jobId = plan.name;
    plan.totalRanks = ranks.own ? 1 : 0;
    return adoption;
}

namespace
{

using Processes = std::map<pid_t, ProcessInfo>;

bool isBelow(const ProcessInfo &process, const std::set<pid_t> &others, const Processes &all)
{
    for (auto above = all.find(process.parent); above != all.end(); above = all.find(above->second.parent)) {
        if (others.contains(above->first))
            return true;
    }
    return false;
}

} // namespace

QString shortCommand(const QStringList &command)
{
    constexpr int shown = 120;
    const QString line = joinCommandLine(command).simplified();
    return line.size() > shown ? line.left(shown) + u"…"_s : line;
}

std::vector<NamedProcess> processesNamed(const QString &name)
{
    Processes all;
    for (const pid_t pid : allPids()) {
        if (const auto process = readProcess(pid))
            all.emplace(pid, *process);
    }
    const std::set<pid_t> line = lineOf(getpid());
    std::map<pid_t, QStringList> commands;
    std::set<pid_t> called;
    std::set<pid_t> mentioned;
    for (const auto &[pid, process] : all) {
        if (line.contains(pid) || process.state == 'Z' || isRankdeck(process) || ownerOf(pid) != geteuid())
            continue;
        const QStringList command = commandOf(pid);
        if (command.isEmpty())
            continue;
        commands.emplace(pid, command);
        // The program, or the script of an interpreter, is called so.
        if (process.name == name || QFileInfo(command.value(0)).fileName() == name ||
            QFileInfo(command.value(1)).fileName() == name)
            called.insert(pid);
        else if (command.join(' '_L1).contains(name))
            mentioned.insert(pid);
    }
    const std::set<pid_t> &meant = called.empty() ? mentioned : called;
    std::vector<NamedProcess> found;
    for (const pid_t pid : meant) {
        if (!isBelow(all.at(pid), meant, all))
            found.push_back({pid, shortCommand(commands.at(pid))});
    }
    return found;
}

} // namespace rankdeck
