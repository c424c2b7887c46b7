#include "diagnosis/evidence/cannfiles.h"

#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace rankdeck
{

constexpr std::size_t mostPlogs = 4096;
constexpr int mostDepth = 6;
constexpr int mostFolders = 4096;

static void collect(const QDir &folder, int depth, int &folders, std::vector<Plog> &found)
{
    if (++folders > mostFolders)
        return;
    const QFileInfoList files =
        folder.entryInfoList({u"plog-*.log"_s}, QDir::Files | QDir::NoSymLinks, QDir::Name);
    for (const QFileInfo &file : files) {
        const qint64 pid = plogPid(file.fileName());
        if (pid > 0 && found.size() < mostPlogs)
            found.push_back({file.filePath(), pid});
    }
    if (depth >= mostDepth)
        return;
    const QFileInfoList below =
        folder.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDir::Name);
    for (const QFileInfo &each : below)
        collect(QDir(each.filePath()), depth + 1, folders, found);
}

std::vector<Plog> findPlogs(const QString &directory)
{
    std::vector<Plog> found;
    int folders = 0;
    collect(QDir(directory), 0, folders, found);
    std::ranges::sort(found, {}, &Plog::path);
    return found;
}

QStringList plogDirectories(const RunState &state)
{
    if (hasLogsAlone(state.phase))
        return {state.directory};
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    QStringList directories;
    for (const ProcessPlan &process : state.plan->processes)
        directories << plogDirectory(process, environment);
    directories.removeDuplicates();
    return directories;
}

std::vector<Plog> plogsOf(const RunState &state)
{
    QSet<qint64> pids;
    for (const RankState &rank : state.ranks) {
        if (rank.pid > 0)
            pids.insert(rank.pid);
    }
    std::vector<Plog> plogs;
    for (const QString &directory : plogDirectories(state)) {
        for (const Plog &plog : findPlogs(directory)) {
            if (hasLogsAlone(state.phase) ||
                (pids.contains(plog.pid) &&
                 (!state.created.isValid() ||
                  QFileInfo(plog.path).lastModified() >= state.created.addSecs(-1))))
                plogs.push_back(plog);
        }
    }
    return plogs;
}

constexpr std::size_t mostCannTraces = 512;
constexpr qsizetype mostNotes = 3;

static CannTrace::Kind kindOf(const QString &word)
{
    if (word == "stackcore"_L1)
        return CannTrace::Kind::Crash;
    return word == "schedule"_L1 ? CannTrace::Kind::Schedule : CannTrace::Kind::Exit;
}

static QFileInfoList foldersIn(const QString &path, const QStringList &names)
{
    return QDir(path).entryInfoList(names, QDir::Dirs | QDir::NoSymLinks, QDir::Name);
}

std::vector<CannTrace> cannTracesOf(const RunState &state)
{
    static const QRegularExpression folderName(u"^(schedule|stackcore|exit)_event_(\\d{1,10})_"_s);
    std::vector<CannTrace> traces;
    if (hasLogsAlone(state.phase) || !state.plan)
        return traces;
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    QSet<QString> directories;
    QHash<qint64, int> processes;
    for (std::size_t process = 0; process < state.ranks.size(); ++process) {
        directories.insert(cannDirectory(state.plan->processes[process], environment) + u"/atrace"_s);
        if (state.ranks[process].pid > 0)
            processes.insert(state.ranks[process].pid, int(process));
    }
    for (const QString &directory : std::as_const(directories)) {
        for (const QFileInfo &trace : foldersIn(directory, {u"trace_*"_s})) {
            for (const QFileInfo &event : foldersIn(trace.filePath(), {u"*_event_*"_s})) {
                const auto name = folderName.match(event.fileName());
                const int process = processes.value(name.captured(2).toLongLong(), -1);
                if (!name.hasMatch() || process < 0)
                    continue;
                const QFileInfoList files =
                    QDir(event.filePath()).entryInfoList(QDir::Files | QDir::NoSymLinks, QDir::Name);
                for (const QFileInfo &file : files) {
                    // The pid may have been another process's before.
                    if (traces.size() < mostCannTraces && file.lastModified() >= state.created.addSecs(-1))
                        traces.push_back({kindOf(name.captured(1)), process, file.filePath()});
                }
            }
        }
    }
    std::ranges::sort(traces, {}, &CannTrace::path);
    return traces;
}

QList<Sentence> cannTraceNotes(const std::vector<CannTrace> &traces, const LaunchPlan &plan)
{
    QList<Sentence> notes;
    for (const CannTrace::Kind kind : {CannTrace::Kind::Crash, CannTrace::Kind::Schedule}) {
        for (const CannTrace &trace : traces) {
            if (trace.kind != kind || notes.size() >= mostNotes)
                continue;
            const ProcessPlan &process = plan.processes[std::size_t(trace.process)];
            const Sentence name = processName(process);
            notes << (kind == CannTrace::Kind::Crash
                          ? Sentence::tr("CANN has kept the stacks of %1 when it crashed: %2")
                                .arg(name, trace.path)
                          : Sentence::tr("CANN has kept what %1 was doing when its wait timed out: %2")
                                .arg(name, trace.path));
        }
    }
    return notes;
}

} // namespace rankdeck
