#include "diagnosis/logdirectory/numberedlogs.h"

#include "diagnosis/logdirectory/consolelog.h"
#include "run/record/failure.h"

#include <QCollator>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <tuple>

namespace rankdeck
{

namespace
{

constexpr int mostFolders = 5;
constexpr std::size_t mostFiles = 65536;

/// Words before a number that is a rank, the surest first.
constexpr std::array rankWordForms{"(?:^|[^a-z])(?:global_?)?rank[._-]?$", "worker(?:log)?[._-]?$",
                                   "(?:proc|process|parallel|task|trainer|local_?rank)[._-]?$",
                                   "(?:device|dev|npu|gpu|card)[._-]?$",
                                   "(?:stdout|stderr|log|out|err)[._-]?$"};
constexpr int surestWord = int(rankWordForms.size());
/// Least sureness for a single number without others to compare with.
constexpr int sureEnough = surestWord - 2;

/// A log, as one of the numbers in its path reads it.
struct Numbered {
    QString path;
    int number = 0;
    QString node; ///< The text before the number if it names a node; else empty.
    QDateTime written;
    qint64 bytes = 0;
    bool isError = false; ///< By its name: stderr, error.log.
};

/// Logs whose paths differ only in a number, and in the name of the stream.
struct Family {
    int sureness = 0; ///< How surely the number is a rank.
    std::vector<Numbered> logs;
    std::set<int> numbers;
    QDateTime written;

    void add(const Numbered &log)
    {
        logs.push_back(log);
        numbers.insert(log.number);
        written = std::max(written, log.written);
    }
    /// A single file has a rank only if a word shows it; a sure word overrules the number of files.
    bool isOfRanks() const { return sureness >= sureEnough || (numbers.size() > 1 && !areGreat()); }
    /// Without a word that shows a rank, numbers far above the number of files are pids or dates.
    bool areGreat() const { return *numbers.rbegin() >= 64 + 16 * int(numbers.size()); }
    auto order() const { return std::tuple(sureness, numbers.size(), written); }
};

/// A number with more digits is a date, a pid or a job.
const QRegularExpression &numberForm()
{
    static const QRegularExpression form(u"(?<!\\d)\\d{1,6}(?!\\d)"_s);
    return form;
}

int surenessOf(const QString &before)
{
    static const QRegularExpression noRank(
        u"(?:attempt|restart|node|host|job|slurm|epoch|step|run|version|v)[._-]?$"_s,
        QRegularExpression::CaseInsensitiveOption);
    for (std::size_t at = 0; at < rankWordForms.size(); ++at) {
        const QRegularExpression form(QLatin1String(rankWordForms[at]),
                                      QRegularExpression::CaseInsensitiveOption);
        if (form.match(before).hasMatch())
            return surestWord - int(at);
    }
    return noRank.match(before).hasMatch() ? -1 : 0;
}

using Families = std::map<QString, Family>; ///< By the path without its numbers and its stream.

/// Files a log under each number in its path that may be a rank.
void file(const QString &relative, const QFileInfo &info, Families &families)
{
    static const QRegularExpression digits(u"\\d+"_s);
    static const QRegularExpression stream(
        u"(?<![a-z])(?:stdout|stderr|out|err|error|info|warning|debug)(?![a-z])"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression error(u"(?<![a-z])(?:stderr|err|error)(?![a-z])"_s,
                                          QRegularExpression::CaseInsensitiveOption);
    auto matches = numberForm().globalMatch(relative);
    while (matches.hasNext()) {
        const auto match = matches.next();
        const QString before = relative.left(match.capturedStart());
        const int sureness = surenessOf(before);
        if (sureness < 0)
            continue;
        QString shape = QString(before).replace(digits, u"*"_s) + '#'_L1 +
                        relative.mid(match.capturedEnd()).replace(digits, u"*"_s);
        shape.replace(stream, u"~"_s);
        Family &family = families[shape];
        family.sureness = sureness;
        family.add({info.filePath(), match.captured().toInt(), namesNode(before) ? before : QString(),
                    info.lastModified(), info.size(), error.match(info.fileName()).hasMatch()});
    }
}

void collect(const QDir &root, const QString &folder, int depth, std::size_t &files, Families &families)
{
    QDirIterator entries(folder, QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks);
    while (entries.hasNext() && files < mostFiles) {
        const QFileInfo entry(entries.next());
        if (entry.isDir() && depth > 0) {
            collect(root, entry.filePath(), depth - 1, files, families);
        } else if (entry.isFile() && isLogName(entry.fileName())) {
            ++files;
            file(root.relativeFilePath(entry.filePath()), entry, families);
        }
    }
}

constexpr int mostReadLogs = 1024;
/// Share of the logs, in percent, that must show their rank.
constexpr std::size_t tellingPercent = 60;

void collectLogs(const QString &folder, int depth, QStringList &paths)
{
    QDirIterator entries(folder, QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks);
    while (entries.hasNext() && paths.size() < mostReadLogs) {
        const QFileInfo entry(entries.next());
        if (entry.isDir() && depth > 0)
            collectLogs(entry.filePath(), depth - 1, paths);
        else if (entry.isFile() && (isLogName(entry.fileName()) || plogPid(entry.fileName()) > 0))
            paths << entry.filePath();
    }
}

/// Returns the rank that the beginning of a log states as its own.
std::optional<int> rankInText(const QString &path)
{
    constexpr qint64 beginning = 64 * 1024;
    static const QRegularExpression form(
        u"Entry-Hccl[^\\n]*\\brank\\[(\\d{1,6})\\]|\\bRANK(?:_ID)?[=:] ?(\\d{1,6})\\b|"
        "(?i:(?<!local |local_|root |remote |peer |dst |dest )(?:\\b|_)rank(?:[ _]id)?['\"]?"
        "(?: ?[:=] ?| |\\[)(\\d{1,6})\\b)"_s);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const auto match = form.match(QString::fromUtf8(file.read(beginning)));
    return match.hasMatch() ? std::optional(match.captured(match.lastCapturedIndex()).toInt()) : std::nullopt;
}

/// A log, and the rank that it states. The two plogs of a process, debug and run, are one: that with the
/// errors.
struct FoundLog {
    QString path;
    std::optional<int> rank;
};
using FoundLogs = std::map<QString, FoundLog>; ///< By path, plogs by pid.

LaunchPlan plogsByPid(const FoundLogs &logs)
{
    LaunchPlan plan = planOf(u"processes"_s, {});
    for (const auto &[pid, log] : logs) {
        ProcessPlan process = workerWith(Failure::noRank.value, log.path);
        process.role = Role::Console;
        plan.processes.push_back(process);
    }
    plan.notes << Sentence::tr("These logs of CANN do not name their ranks: processes are named by pid.");
    return plan;
}

/// Sorts the logs of one rank: the newest of each stream.
void fill(ProcessPlan &process, const std::vector<const Numbered *> &logs)
{
    const auto newest = [&](bool isError) {
        const Numbered *found = nullptr;
        for (const Numbered *log : logs) {
            const auto order = [](const Numbered *each) {
                return std::tuple(each->bytes > 0, each->written, each->bytes);
            };
            if (log->isError == isError && (!found || order(found) < order(log)))
                found = log;
        }
        return found ? found->path : QString();
    };
    process.logFile = newest(false);
    process.stderrFile = newest(true);
    if (process.logFile.isEmpty())
        process.logFile = std::exchange(process.stderrFile, {});
}

/// Where several nodes count their ranks from 0 each, gives them the ranks of the launch: node after node.
void countThroughNodes(Family &family)
{
    std::map<QString, std::set<int>> nodes;
    for (const Numbered &log : family.logs)
        nodes[log.node].insert(log.number);
    std::size_t all = 0;
    for (const auto &[node, numbers] : nodes)
        all += numbers.size();
    if (nodes.contains(QString()) || all == family.numbers.size())
        return; // The numbers are ranks already.
    QStringList names;
    for (const auto &[node, numbers] : nodes)
        names << node;
    QCollator order;
    order.setNumericMode(true);
    std::ranges::sort(names, order);
    int next = 0;
    std::map<QString, int> offsets;
    for (const QString &name : std::as_const(names)) {
        offsets[name] = next;
        next += *nodes[name].rbegin() + 1;
    }
    family.numbers.clear();
    for (Numbered &log : family.logs) {
        log.number += offsets[log.node];
        family.numbers.insert(log.number);
    }
}

} // namespace

ProcessPlan workerWith(int rank, const QString &log)
{
    ProcessPlan process;
    process.rank = Rank(rank);
    process.localRank = LocalRank(rank);
    process.device = ProcessPlan::noDevice;
    process.logFile = log;
    return process;
}

LaunchPlan planOf(const QString &launcher, const std::map<int, ProcessPlan> &processes)
{
    LaunchPlan plan;
    plan.launcher = launcher;
    plan.totalRanks = int(processes.size());
    plan.raiseOnFailure = false;
    for (const auto &[rank, process] : processes)
        plan.processes.push_back(process);
    return plan;
}

bool namesNode(const QString &path)
{
    static const QRegularExpression form(u"(?:^|[^a-z])(?:node|host|server|machine|pod|worker)"
                                         "[\\w-]*?\\d|\\d+\\.\\d+\\.\\d+\\.\\d+"_s,
                                         QRegularExpression::CaseInsensitiveOption);
    return form.match(path).hasMatch();
}

bool isLogName(const QString &name)
{
    static const QRegularExpression form(u"^(?!plog-)(?!scheduler\\b).*(?:\\.(?:log|txt|out|"
                                         "err|stdout|stderr)|^(?:stdout|stderr|log|out|err)|"
                                         "(?:log|out|err|stdout|stderr)[._-]?\\d{1,6})$"_s,
                                         QRegularExpression::CaseInsensitiveOption);
    return form.match(name).hasMatch();
}

std::optional<int> rankInName(const QString &name)
{
    std::optional<int> rank;
    int surest = sureEnough - 1;
    auto numbers = numberForm().globalMatch(name);
    while (numbers.hasNext()) {
        const auto number = numbers.next();
        const int sureness = surenessOf(name.left(number.capturedStart()));
        if (sureness > surest) {
            surest = sureness;
            rank = number.captured().toInt();
        }
    }
    return rank;
}

std::optional<LaunchPlan> numberedLogs(const QString &directory)
{
    Families families;
    std::size_t files = 0;
    collect(QDir(directory), directory, mostFolders, files, families);
    Family *best = nullptr;
    for (auto &[shape, family] : families) {
        if (family.isOfRanks() && (!best || best->order() < family.order()))
            best = &family;
    }
    if (!best)
        return std::nullopt;
    countThroughNodes(*best);
    std::map<int, ProcessPlan> processes;
    for (const int rank : best->numbers) {
        std::vector<const Numbered *> logs;
        for (const Numbered &log : best->logs) {
            if (log.number == rank)
                logs.push_back(&log);
        }
        fill(processes.emplace(rank, workerWith(rank, {})).first->second, logs);
    }
    LaunchPlan plan = planOf(u"processes"_s, processes);
    plan.notes << Sentence::tr("The numbers in the names of the logs give their ranks.");
    return plan;
}

std::optional<LaunchPlan> logsByContent(const QString &directory)
{
    QStringList paths;
    collectLogs(directory, mostFolders, paths);
    FoundLogs logs;
    for (const QString &path : std::as_const(paths)) {
        const qint64 pid = plogPid(path);
        FoundLog &log = logs[pid > 0 ? QString::number(pid) : path];
        if (log.path.isEmpty() || path.contains("/debug/"_L1))
            log.path = path;
        if (!log.rank)
            log.rank = rankInText(path);
    }
    const bool areAllPlogs =
        std::ranges::all_of(logs, [](const auto &named) { return plogPid(named.second.path) > 0; });
    std::map<int, ProcessPlan> byRank;
    std::size_t telling = 0;
    for (const auto &[name, log] : logs) {
        if (!log.rank)
            continue;
        ++telling;
        const auto [known, isNew] = byRank.emplace(*log.rank, workerWith(*log.rank, log.path));
        if (!isNew && !areAllPlogs)
            return std::nullopt;
        // CANN keeps the logs of earlier jobs beside those of the last one.
        if (QFileInfo(known->second.logFile).lastModified() < QFileInfo(log.path).lastModified())
            known->second.logFile = log.path;
    }
    constexpr std::size_t most = 100;
    const auto isOfSeveral = [](const auto &known) {
        return readConsoleLog(known.second.logFile).isOfSeveral();
    };
    const bool areTold = !byRank.empty() && telling * most >= logs.size() * tellingPercent;
    if (areAllPlogs && !areTold && !logs.empty())
        return plogsByPid(logs);
    if (!areTold || std::ranges::any_of(byRank, isOfSeveral))
        return std::nullopt;
    LaunchPlan plan = planOf(u"processes"_s, byRank);
    plan.notes << Sentence::tr("The first lines of the logs give their ranks.");
    return plan;
}

} // namespace rankdeck
