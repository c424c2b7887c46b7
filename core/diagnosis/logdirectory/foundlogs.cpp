#include "diagnosis/logdirectory/foundlogs.h"

#include "base/tr.h"
#include "launch/planning/attempt.h"
#include "launch/planning/processes.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QHash>
#include <QRegularExpression>

#include <algorithm>
#include <map>

namespace rankdeck
{

namespace
{

/// Content of a directory without links, which may lead anywhere.
struct Listing {
    QList<QFileInfo> files;
    QList<QFileInfo> folders;

    explicit Listing(const QString &directory)
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

ProcessPlan worker(int rank, const QString &log)
{
    ProcessPlan process;
    process.rank = Rank(rank);
    process.localRank = LocalRank(rank);
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

LaunchPlan planOf(const QString &launcher, const Processes &processes)
{
    LaunchPlan plan;
    plan.launcher = launcher;
    plan.totalRanks = int(processes.size());
    plan.raiseOnFailure = false;
    for (const auto &[rank, process] : processes)
        plan.processes.push_back(process);
    return plan;
}

QString listed(const QStringList &names)
{
    constexpr qsizetype most = 8;
    return names.mid(0, most).join(QLatin1String(", ")) +
           (names.size() > most ? QStringLiteral(", …") : QString());
}

std::optional<LaunchPlan> davincirunLogs(const Listing &listing)
{
    struct Job {
        Processes processes;
        QDateTime written;
    };
    static const QRegularExpression name(
        QStringLiteral("^(.*)-proc-rank-(\\d{1,6})-device-(\\d{1,6})(?:\\.\\d+)?\\.txt$"));
    std::map<QString, Job> jobs;
    for (const QFileInfo &file : listing.files) {
        const auto match = name.match(file.fileName());
        if (!match.hasMatch())
            continue;
        Job &job = jobs[match.captured(1)];
        ProcessPlan process = worker(match.captured(2).toInt(), file.filePath());
        process.device = DeviceId(match.captured(3).toInt());
        add(job.processes, process, file);
        job.written = std::max(job.written, file.lastModified());
    }
    if (jobs.empty())
        return std::nullopt;
    const auto newest = std::ranges::max_element(
        jobs, [](const auto &one, const auto &other) { return one.second.written < other.second.written; });
    LaunchPlan plan = planOf(QStringLiteral("davincirun"), newest->second.processes);
    plan.jobId = newest->first;
    QStringList others;
    for (const auto &[job, logs] : jobs) {
        if (job != newest->first)
            others << job;
    }
    if (!others.isEmpty())
        plan.notes << tr("Shown is job %1, written last; logs of others are there too: %2.")
                          .arg(newest->first, listed(others));
    return plan;
}

std::optional<LaunchPlan> msrunLogs(const Listing &listing)
{
    static const QRegularExpression name(QStringLiteral("^(.+)_(\\d{1,6})\\.log$"));
    ProcessPlan scheduler;
    for (const QFileInfo &file : listing.files) {
        if (file.fileName() == QLatin1String("scheduler.log"))
            scheduler.logFile = file.filePath();
    }
    const bool hasScheduler = !scheduler.logFile.isEmpty();
    Processes processes;
    for (const QFileInfo &file : listing.files) {
        const auto match = name.match(file.fileName());
        if (match.hasMatch() && (hasScheduler || match.captured(1) == QLatin1String("worker")))
            add(processes, worker(match.captured(2).toInt(), file.filePath()), file);
    }
    if (!hasScheduler && processes.empty())
        return std::nullopt;
    LaunchPlan plan = planOf(QStringLiteral("msrun"), processes);
    if (hasScheduler) {
        scheduler.role = Role::Scheduler;
        scheduler.device = ProcessPlan::noDevice;
        plan.processes.insert(plan.processes.begin(), scheduler);
    }
    return plan;
}

/// Returns the logs of one attempt: a folder for each local rank, or one file for both streams.
Processes attemptLogs(const Listing &listing)
{
    static const QRegularExpression rankFolder(QStringLiteral("^\\d{1,6}$"));
    static const QRegularExpression rankFile(QStringLiteral("^rank-(\\d{1,6})\\.log$"));
    Processes processes;
    for (const QFileInfo &file : listing.files) {
        const auto match = rankFile.match(file.fileName());
        if (match.hasMatch())
            add(processes, worker(match.captured(1).toInt(), file.filePath()), file);
    }
    for (const QFileInfo &folder : listing.folders) {
        if (!rankFolder.match(folder.fileName()).hasMatch())
            continue;
        QHash<QString, QString> found;
        for (const QFileInfo &file : Listing(folder.filePath()).files)
            found.insert(file.fileName(), file.filePath());
        const QString out = found.value(QStringLiteral("stdout.log"));
        const QString err = found.value(QStringLiteral("stderr.log"));
        const QString error = found.value(QStringLiteral("error.json"));
        if (out.isEmpty() && err.isEmpty() && error.isEmpty())
            continue;
        const int rank = folder.fileName().toInt();
        ProcessPlan &process = processes.emplace(rank, worker(rank, {})).first->second;
        if (!out.isEmpty())
            process.logFile = out;
        process.stderrFile = err;
        if (process.logFile.isEmpty())
            process.logFile = std::exchange(process.stderrFile, {});
        if (!error.isEmpty())
            process.setVariables.insert(QLatin1String(errorFileVariable), error);
        if (process.logFile.isEmpty()) // The rank wrote of its failure and nothing else.
            process.logFile = folder.filePath() + QStringLiteral("/stdout.log");
    }
    return processes;
}

/// Returns the newest attempt of a launch, whose logs are in `listing` or in folders of the attempts.
std::optional<LaunchPlan> torchLogs(const Listing &listing)
{
    static const QRegularExpression name(QStringLiteral("^attempt_(\\d{1,6})$"));
    std::map<int, QString> attempts;
    for (const QFileInfo &folder : listing.folders) {
        const auto match = name.match(folder.fileName());
        if (match.hasMatch())
            attempts[match.captured(1).toInt()] = folder.filePath();
    }
    const QString launcher = QStringLiteral("torchrun");
    for (auto attempt = attempts.rbegin(); attempt != attempts.rend(); ++attempt) {
        const Processes processes = attemptLogs(Listing(attempt->second));
        if (processes.empty())
            continue;
        LaunchPlan plan = planOf(launcher, processes);
        if (attempts.size() > 1)
            plan.notes << tr("Shown is attempt %1, the last of %2; open another's folder for its logs.")
                              .arg(attempt->first)
                              .arg(attempts.size());
        return plan;
    }
    const Processes processes = attemptLogs(listing);
    if (processes.empty())
        return std::nullopt;
    return planOf(launcher, processes);
}

/// torchrun makes a folder for each launch.
std::optional<LaunchPlan> newestTorchLaunch(const Listing &listing)
{
    QList<QFileInfo> folders = listing.folders;
    std::ranges::sort(folders, [](const QFileInfo &one, const QFileInfo &other) {
        return one.lastModified() > other.lastModified();
    });
    QStringList names;
    std::optional<LaunchPlan> newest;
    for (const QFileInfo &folder : std::as_const(folders)) {
        const Listing inner(folder.filePath());
        const bool isLaunch = std::ranges::any_of(inner.folders, [](const QFileInfo &entry) {
            return entry.fileName().startsWith(QLatin1String("attempt_"));
        });
        if (!isLaunch)
            continue;
        if (!newest)
            newest = torchLogs(inner);
        names << folder.fileName();
    }
    if (newest && names.size() > 1)
        newest->notes << tr("Shown is %1, written last; other launches are there too: %2.")
                             .arg(names.first(), listed(names.mid(1)));
    return newest;
}

} // namespace

Result<LaunchPlan> findLogs(const QString &directory)
{
    const QFileInfo info(directory);
    if (!info.isDir())
        return Error{tr("there is no such directory"), directory,
                     tr("Give the directory that holds the logs.")};
    if (!info.isReadable() || !info.isExecutable())
        return Error{tr("the directory cannot be read"), directory, tr("Check its permissions.")};
    const Listing listing(QDir(directory).absolutePath());
    std::optional<LaunchPlan> plan = davincirunLogs(listing);
    for (const auto read : {msrunLogs, torchLogs, newestTorchLaunch}) {
        if (!plan)
            plan = read(listing);
    }
    if (!plan)
        return Error{
            tr("no logs of davincirun, msrun or torchrun are here, judged by their names"), directory,
            tr("Give the directory that holds worker_0.log, *-proc-rank-0-device-0.txt or 0/stdout.log.")};
    plan->name = QDir(directory).dirName();
    return *plan;
}

} // namespace rankdeck
