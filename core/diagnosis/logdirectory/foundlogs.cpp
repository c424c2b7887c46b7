#include "diagnosis/logdirectory/foundlogs.h"

#include "base/listcomma.h"
#include "diagnosis/logdirectory/consolelog.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "diagnosis/logdirectory/numberedlogs.h"
#include "run/record/logindex.h"
#include "run/record/rundirectory.h"

#include <QCollator>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QHash>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// Content of a directory without links, which may lead anywhere.
struct Listing {
    QString directory;
    QList<QFileInfo> files;
    QList<QFileInfo> folders;

    explicit Listing(const QString &path)
        : directory(path)
    {
        QDirIterator entries(directory, QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks);
        while (entries.hasNext()) {
            entries.next();
            const QFileInfo entry = entries.fileInfo();
            (entry.isDir() ? folders : files) << entry;
        }
    }
};

using Processes = std::map<int, ProcessPlan>; ///< By rank.

/// How many folders deep logs are looked for.
constexpr int mostDepth = 5;
constexpr qsizetype mostAttemptsTold = 10;
/// Launchers' logs that are read whole.
constexpr int mostConsoles = 16;

ProcessPlan processWith(Role role, Rank rank, const QString &log)
{
    ProcessPlan process;
    process.role = role;
    process.rank = rank;
    process.device = ProcessPlan::noDevice;
    process.logFile = log;
    return process;
}

/// Adds a process; of several logs of one rank the newest counts.
void add(Processes &processes, const ProcessPlan &process, const QFileInfo &file)
{
    const auto [known, isNew] = processes.emplace(process.rank.value, process);
    if (!isNew && QFileInfo(known->second.logFile).lastModified() < file.lastModified())
        known->second = process;
}

QString listed(const QStringList &names)
{
    constexpr qsizetype most = 8;
    return names.mid(0, most).join(nameComma()) +
           (names.size() > most ? nameComma() + QChar(0x2026) : QString());
}

std::optional<LaunchPlan> davincirunLogs(const Listing &listing)
{
    struct Job {
        Processes processes;
        QDateTime written;
    };
    static const QRegularExpression name(
        u"^(.*)-proc-rank-(\\d{1,6})-device-(\\d{1,6})(?:\\.\\d+)?\\.txt$"_s);
    std::map<QString, Job> jobs;
    for (const QFileInfo &file : listing.files) {
        const auto match = name.match(file.fileName());
        if (!match.hasMatch())
            continue;
        Job &job = jobs[match.captured(1)];
        ProcessPlan process = workerWith(match.captured(2).toInt(), file.filePath());
        process.device = DeviceId(match.captured(3).toInt());
        add(job.processes, process, file);
        job.written = std::max(job.written, file.lastModified());
    }
    if (jobs.empty())
        return std::nullopt;
    const auto newest = std::ranges::max_element(
        jobs, [](const auto &one, const auto &other) { return one.second.written < other.second.written; });
    LaunchPlan plan = planOf(u"davincirun"_s, newest->second.processes);
    plan.jobId = newest->first;
    QStringList others;
    for (const auto &[job, logs] : jobs) {
        if (job != newest->first)
            others << job;
    }
    if (!others.isEmpty())
        plan.notes << Sentence::tr(
                          "Shows job %1, the latest. The directory also holds logs of other jobs: %2.")
                          .arg(newest->first, listed(others));
    return plan;
}

std::optional<LaunchPlan> msrunLogs(const Listing &listing)
{
    static const QRegularExpression name(u"^(.+)_(\\d{1,6})\\.log$"_s);
    const auto scheduler = std::ranges::find_if(
        listing.files, [](const QFileInfo &file) { return file.fileName() == "scheduler.log"_L1; });
    const bool hasScheduler = scheduler != listing.files.end();
    Processes processes;
    for (const QFileInfo &file : listing.files) {
        const auto match = name.match(file.fileName());
        if (match.hasMatch() && (hasScheduler || match.captured(1) == "worker"_L1))
            add(processes, workerWith(match.captured(2).toInt(), file.filePath()), file);
    }
    if (!hasScheduler && processes.empty())
        return std::nullopt;
    LaunchPlan plan = planOf(u"msrun"_s, processes);
    if (hasScheduler)
        plan.processes.insert(plan.processes.begin(),
                              processWith(Role::Scheduler, {}, scheduler->filePath()));
    return plan;
}

/// Returns the logs of one attempt: a folder for each local rank, or one file for both streams.
Processes attemptLogs(const Listing &listing)
{
    static const QRegularExpression rankFolder(u"^\\d{1,6}$"_s);
    static const QRegularExpression rankFile(u"^rank-(\\d{1,6})\\.log$"_s);
    Processes processes;
    for (const QFileInfo &file : listing.files) {
        const auto match = rankFile.match(file.fileName());
        if (match.hasMatch())
            add(processes, workerWith(match.captured(1).toInt(), file.filePath()), file);
    }
    for (const QFileInfo &folder : listing.folders) {
        if (!rankFolder.match(folder.fileName()).hasMatch())
            continue;
        QHash<QString, QString> found;
        for (const QFileInfo &file : Listing(folder.filePath()).files)
            found.insert(file.fileName(), file.filePath());
        const QString out = found.value(u"stdout.log"_s);
        const QString err = found.value(u"stderr.log"_s);
        const QString error = found.value(u"error.json"_s);
        if (out.isEmpty() && err.isEmpty() && error.isEmpty())
            continue;
        const int rank = folder.fileName().toInt();
        ProcessPlan &process = processes.emplace(rank, workerWith(rank, {})).first->second;
        if (!out.isEmpty())
            process.logFile = out;
        process.stderrFile = err;
        if (process.logFile.isEmpty())
            process.logFile = std::exchange(process.stderrFile, {});
        if (!error.isEmpty())
            process.setVariables.insert(QLatin1String(errorFileVariable), error);
        if (process.logFile.isEmpty()) // The rank wrote only an error file.
            process.logFile = folder.filePath() + u"/stdout.log"_s;
    }
    return processes;
}

/// Returns the first error at the end of the logs of an attempt, empty if there is none.
QString errorOf(const Processes &attempt)
{
    for (const auto &[rank, process] : attempt) {
        if (const auto error = readLoggedError(process))
            return error->message;
    }
    return {};
}

/// Returns one attempt of a launch, whose logs are in `listing` or in folders of the attempts: the first that
/// failed if the last one failed too, for its end is why there were others; else the last one.
std::optional<LaunchPlan> torchLogs(const Listing &listing)
{
    static const QRegularExpression name(u"^attempt_(\\d{1,6})$"_s);
    std::map<int, QString> attempts;
    for (const QFileInfo &folder : listing.folders) {
        const auto match = name.match(folder.fileName());
        if (match.hasMatch())
            attempts[match.captured(1).toInt()] = folder.filePath();
    }
    const QString launcher = u"torchrun"_s;
    std::map<int, Processes> logs;
    for (const auto &[number, folder] : attempts) {
        if (Processes processes = attemptLogs(Listing(folder)); !processes.empty())
            logs.emplace(number, std::move(processes));
    }
    if (logs.empty()) {
        const Processes processes = attemptLogs(listing);
        return processes.empty() ? std::nullopt : std::optional(planOf(launcher, processes));
    }
    auto shown = std::prev(logs.end());
    QList<Sentence> failed;
    if (logs.size() > 1) {
        const bool hasFailed = !errorOf(shown->second).isEmpty();
        for (auto each = logs.begin(); each != logs.end(); ++each) {
            const QString error = errorOf(each->second);
            if (hasFailed && !error.isEmpty() && failed.isEmpty())
                shown = each;
            if (!error.isEmpty())
                failed << Sentence::tr("Attempt %1 failed: %2").arg(each->first).arg(error);
        }
    }
    LaunchPlan plan = planOf(launcher, shown->second);
    if (logs.size() > 1)
        plan.notes << Sentence::tr(
                          "Shows attempt %1. There are logs of %2 attempts; open the folder of another one "
                          "for its logs.")
                          .arg(shown->first)
                          .arg(logs.size())
                   << failed.mid(0, mostAttemptsTold);
    return plan;
}

/// Returns the folders below with attempts, in whatever directory torchrun keeps its logs.
void findTorchLaunches(const QFileInfo &folder, int depth, QList<QFileInfo> &found)
{
    const Listing listing(folder.filePath());
    for (const QFileInfo &below : listing.folders) {
        if (below.fileName().startsWith("attempt_"_L1)) {
            found << folder;
            return;
        }
    }
    for (const QFileInfo &below : depth > 0 ? listing.folders : QList<QFileInfo>())
        findTorchLaunches(below, depth - 1, found);
}

/// torchrun makes a folder for each launch.
std::optional<LaunchPlan> newestTorchLaunch(const Listing &listing)
{
    QList<QFileInfo> launches;
    for (const QFileInfo &folder : listing.folders)
        findTorchLaunches(folder, mostDepth, launches);
    std::ranges::stable_sort(launches, [](const QFileInfo &one, const QFileInfo &other) {
        return one.lastModified() > other.lastModified();
    });
    QStringList names;
    std::optional<LaunchPlan> newest;
    for (const QFileInfo &launch : std::as_const(launches)) {
        if (!newest)
            newest = torchLogs(Listing(launch.filePath()));
        names << launch.fileName();
    }
    if (newest && names.size() > 1)
        newest->notes << Sentence::tr(
                             "Shows %1, the latest launch. The directory also holds other launches: %2.")
                             .arg(names.first(), listed(names.mid(1)));
    return newest;
}

/// Returns when the logs of a plan were written last.
QDateTime writtenAt(const LaunchPlan &plan)
{
    QDateTime written;
    for (const ProcessPlan &process : plan.processes) {
        for (const QString &path : {process.logFile, process.stderrFile}) {
            if (!path.isEmpty())
                written = std::max(written, QFileInfo(path).lastModified());
        }
    }
    return written;
}

ProcessPlan console(const QString &path)
{
    return processWith(Role::Console, Failure::noRank, path);
}

LaunchPlan consolePlan(const QString &path)
{
    LaunchPlan plan = planOf(u"processes"_s, {});
    plan.processes.push_back(console(path));
    return plan;
}

/// Returns the plan for one log: a rank's log if its name has a rank and it has no other rank's output.
LaunchPlan oneLog(const QFileInfo &file)
{
    const auto rank = rankInName(file.fileName());
    if (!rank || readConsoleLog(file.filePath()).isOfSeveral())
        return consolePlan(file.filePath());
    return planOf(u"processes"_s, {{*rank, workerWith(*rank, file.filePath())}});
}

Sentence splitNote(const QString &path, const ConsoleLog &log)
{
    const QString name = QFileInfo(path).fileName();
    if (!log.ranks.empty())
        return Sentence::tr("%1 holds the output of several ranks. The prefix of a line names its rank.")
            .arg(name);
    if (log.words.ends().empty())
        return Sentence::tr("%1 is not split: one log, unknown rank.").arg(name);
    return Sentence::tr(
               "%1 is not split: one log, unknown rank. Its launcher's messages say how ranks ended.")
        .arg(name);
}

/// Adds the launchers' own logs beside those of the ranks, for the exits that they report.
void addConsoles(LaunchPlan &plan, const Listing &listing)
{
    QStringList used;
    for (const ProcessPlan &process : plan.processes)
        used << process.logFile << process.stderrFile;
    int added = 0;
    for (const QFileInfo &file : listing.files) {
        if (added >= mostConsoles || used.contains(file.filePath()) || !isLogName(file.fileName()) ||
            readConsoleLog(file.filePath()).words.isEmpty())
            continue;
        plan.processes.push_back(console(file.filePath()));
        ++added;
    }
}

/// Adds a worker for each rank that consoles speak of, unless the ranks have logs of their own. Where the
/// consoles of several nodes count their ranks from 0 each, the ranks count through them.
void addRanksOfConsoles(LaunchPlan &plan)
{
    const std::vector<ProcessPlan> consoles = plan.processes;
    if (!std::ranges::all_of(consoles, [](const ProcessPlan &each) { return each.role == Role::Console; }))
        return;
    std::vector<std::set<int>> ranks;
    std::set<int> all;
    std::size_t count = 0;
    for (const ProcessPlan &console : consoles) {
        ConsoleLog log = readConsoleLog(console.logFile);
        plan.notes << splitNote(console.logFile, log);
        if (consoles.size() == 1) {
            for (const auto &[rank, end] : log.words.ends())
                log.ranks.insert(rank);
        }
        count += log.ranks.size();
        all.insert(log.ranks.begin(), log.ranks.end());
        ranks.push_back(std::move(log.ranks));
    }
    const bool areLocal = all.size() < count;
    int first = 0;
    for (std::size_t at = 0; at < consoles.size(); ++at) {
        for (const int rank : ranks[at]) {
            ProcessPlan process = workerWith(first + rank, consoles[at].logFile);
            process.localRank = LocalRank(rank);
            plan.processes.push_back(process);
        }
        if (areLocal && !ranks[at].empty())
            first += *ranks[at].rbegin() + 1;
    }
    plan.totalRanks = int(count);
}

/// Returns the logs of nodes, which hold the output of several ranks each, as torchrun's; by name. Of some no
/// rank may have said which it is.
std::optional<LaunchPlan> consolesOfNodes(const Listing &listing)
{
    QStringList paths;
    int telling = 0;
    for (const QFileInfo &file : listing.files) {
        const bool isLog = isLogName(file.fileName()) && file.size() > 0;
        if (!isLog)
            continue;
        if (paths.size() >= mostConsoles || !namesNode(file.fileName()))
            return std::nullopt;
        const ConsoleLog log = readConsoleLog(file.filePath());
        telling += log.isOfSeveral() || !log.ranks.empty() ? 1 : 0;
        paths << file.filePath();
    }
    if (paths.size() < 2 || 2 * telling < paths.size())
        return std::nullopt;
    QCollator order;
    order.setNumericMode(true);
    std::ranges::sort(paths, order);
    LaunchPlan plan = planOf(u"processes"_s, {});
    for (const QString &path : std::as_const(paths))
        plan.processes.push_back(console(path));
    return plan;
}

/// Adds the scheduler whose log is beside those of the ranks.
void addScheduler(LaunchPlan &plan)
{
    QStringList folders;
    for (const ProcessPlan &process : plan.processes) {
        const QString folder = QFileInfo(process.logFile).path();
        if (!folders.contains(folder))
            folders << folder;
    }
    for (const QString &folder : std::as_const(folders)) {
        const QFileInfo file(folder + u"/scheduler.log"_s);
        if (!file.isFile() || file.isSymLink())
            continue;
        plan.launcher = u"msrun"_s;
        plan.processes.insert(plan.processes.begin(), processWith(Role::Scheduler, {}, file.filePath()));
        return;
    }
}

/// Returns the logs of the launch that wrote to this directory last, by any launcher.
std::optional<LaunchPlan> logsIn(const Listing &listing)
{
    std::optional<LaunchPlan> newest;
    QStringList launchers;
    for (const auto read : {davincirunLogs, msrunLogs, torchLogs, newestTorchLaunch}) {
        const auto plan = read(listing);
        if (!plan)
            continue;
        if (!launchers.contains(plan->launcher))
            launchers << plan->launcher;
        if (!newest || writtenAt(*newest) < writtenAt(*plan))
            newest = plan;
    }
    if (launchers.size() > 1) {
        launchers.removeAll(newest->launcher);
        newest->notes << Sentence::tr(
                             "Shows the logs of %1, the latest. The directory also holds logs of %2.")
                             .arg(newest->launcher, listed(launchers));
    }
    if (!newest) {
        newest = numberedLogs(listing.directory);
        if (newest)
            addScheduler(*newest);
    }
    if (newest) {
        addConsoles(*newest, listing);
        return newest;
    }
    if (auto consoles = consolesOfNodes(listing))
        return consoles;
    if (auto told = logsByContent(listing.directory))
        return told;
    const QFileInfo *last = nullptr;
    QStringList names;
    for (const QFileInfo &file : listing.files) {
        if (!isLogName(file.fileName()) || file.size() == 0)
            continue;
        names << file.fileName();
        if (!last || last->lastModified() < file.lastModified())
            last = &file;
    }
    if (!last)
        return std::nullopt;
    LaunchPlan plan = consolePlan(last->filePath());
    names.removeAll(last->fileName());
    if (!names.isEmpty())
        plan.notes << Sentence::tr("Shows %1, the latest log. The directory also holds other logs: %2.")
                          .arg(last->fileName(), listed(names));
    return plan;
}

/// Names the runs of Rankdeck that wrote here and are still kept: they know more than their logs.
void addRunsNote(LaunchPlan &plan, const QString &directory)
{
    constexpr qsizetype most = 3;
    QStringList names;
    const QList<IndexedRun> runs = indexedRuns(directory);
    for (auto run = runs.crbegin(); run != runs.crend() && names.size() < most; ++run) {
        if (!run->name.contains('/'_L1) && hasRunRecord(runsDirectory() + '/'_L1 + run->name))
            names << run->name;
    }
    if (!names.isEmpty())
        plan.notes
            << Sentence::tr(
                   "Runs of Rankdeck wrote here, the newest first: %1. Open one by its name to see its "
                   "logs alone. %2 lists which logs are whose.")
                   .arg(names.join(nameComma()), QLatin1String(logIndexName));
}

} // namespace

Result<LaunchPlan> findLogs(const QString &path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return Error{tr("file or directory not found"), path,
                     tr("Give a log, or the directory that holds the logs.")};
    if (!info.isReadable() || (info.isDir() && !info.isExecutable()))
        return Error{info.isDir() ? tr("the directory cannot be read") : tr("the file cannot be read"), path,
                     tr("Check its permissions.")};
    LaunchPlan plan;
    if (info.isDir()) {
        const auto found = logsIn(Listing(QDir(path).absolutePath()));
        if (!found)
            return Error{
                tr("no logs found: no file ends with .log, .txt, .out or .err"), path,
                tr("Give one log, or a directory with e.g. worker_0.log, rank_0/info.log or 0/stdout.log.")};
        plan = *found;
        addRunsNote(plan, path);
    } else {
        plan = oneLog(info);
    }
    addRanksOfConsoles(plan);
    plan.name = QDir(path).dirName();
    return plan;
}

} // namespace rankdeck
