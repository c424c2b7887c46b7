#include "diagnosis/evidence/plogs.h"

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
    static const QRegularExpression name(u"^plog-(\\d{1,10})_\\d{1,20}\\.log$"_s);
    if (++folders > mostFolders)
        return;
    const QFileInfoList files =
        folder.entryInfoList({u"plog-*.log"_s}, QDir::Files | QDir::NoSymLinks, QDir::Name);
    for (const QFileInfo &file : files) {
        const auto match = name.match(file.fileName());
        if (match.hasMatch() && found.size() < mostPlogs)
            found.push_back({file.filePath(), match.captured(1).toLongLong()});
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
    for (const ProcessPlan &process : state.plan->processes) {
        const QString directory = plogDirectory(process, environment);
        if (!directories.contains(directory))
            directories << directory;
    }
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

} // namespace rankdeck
