#include "run/record/rundeletion.h"

#include "base/fields.h"
#include "launch/plan/attempt.h"
#include "run/record/runcatalog.h"
#include "run/record/rundirectory.h"
#include "run/record/runreader.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QSaveFile>
#include <QSet>
#include <QStandardPaths>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

constexpr qint64 mostBytes = 64 * 1024;

static QString settingPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/rankdeck/runs.json"_s;
}

/// Hidden directories are not listed as runs.
const QString deletedPrefix = u".deleted-"_s;

/// Checks that the run is in the directory of runs and not a symbolic link, which may lead anywhere.
static std::optional<Error> problemWithPlace(const QString &directory)
{
    const QFileInfo info(directory);
    if (QDir(info.path()).canonicalPath() != QDir(runsDirectory()).canonicalPath())
        return Error{tr("this run lies outside the directory of runs"), directory,
                     tr("Delete its directory yourself.")};
    if (info.isSymLink())
        return Error{tr("this is a symbolic link, not a run"), directory, tr("Delete it yourself.")};
    return std::nullopt;
}

static Result<RunState> endedRun(const QString &directory)
{
    if (const auto error = problemWithPlace(directory))
        return *error;
    auto state = RunReader(directory).open();
    if (state && isLive(state->phase))
        return Error{tr("the run is live"), state->name,
                     tr("Stop it first: rankdeckctl stop %1.").arg(state->name)};
    return state;
}

/// Returns every file that one attempt of a plan writes.
static QStringList plannedFiles(const LaunchPlan &recorded, int attempt)
{
    const LaunchPlan plan = forAttempt(recorded, attempt);
    QStringList files;
    for (const auto *processes : {&plan.before, &plan.processes, &plan.after}) {
        for (const ProcessPlan &process : *processes)
            files << writtenFiles(process);
    }
    files.removeAll(QString());
    files.removeDuplicates();
    return files;
}

static QSet<QString> filesOfOtherRuns(const QString &directory)
{
    QSet<QString> files;
    const QFileInfoList others = QDir(runsDirectory()).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QFileInfo &other : others) {
        if (other.fileName() == QFileInfo(directory).fileName())
            continue;
        // The first attempt will do: later ones exist only where the log directory had to be empty.
        if (const auto record = readRunRecord(other.filePath())) {
            const QStringList planned = plannedFiles(record->plan, 0);
            files.unite({planned.begin(), planned.end()});
        }
    }
    return files;
}

static void addOutsideLogs(RunFiles &files, const RunState &state)
{
    QStringList outside;
    for (int attempt = 0; attempt <= state.attempt; ++attempt) {
        const QStringList planned = plannedFiles(*state.recordedPlan, attempt);
        for (const QString &path : planned) {
            if (!path.startsWith(files.directory + '/'_L1) && QFileInfo(path).isFile() &&
                !QFileInfo(path).isSymLink() && !outside.contains(path))
                outside << path;
        }
    }
    if (outside.isEmpty())
        return;
    const QSet<QString> others = filesOfOtherRuns(files.directory);
    for (const QString &path : std::as_const(outside)) {
        if (others.contains(path)) {
            ++files.sharedLogs;
            continue;
        }
        files.outsideLogs << path;
        files.outsideBytes += QFileInfo(path).size();
    }
}

static qint64 sizeOf(const QString &directory)
{
    qint64 bytes = 0;
    QDirIterator files(directory, QDir::Files | QDir::Hidden | QDir::NoSymLinks,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        files.next();
        bytes += files.fileInfo().size();
    }
    return bytes;
}

/// Removes empty folders that the launch made in a directory that was empty before.
static void removeEmptyFolders(const QString &file, const QString &root)
{
    QString folder = QFileInfo(file).path();
    while (!root.isEmpty() && folder.startsWith(root + '/'_L1) &&
           ::rmdir(QFile::encodeName(folder).constData()) == 0)
        folder = QFileInfo(folder).path();
}

static std::optional<Error> removeTree(const QString &directory)
{
    std::error_code problem;
    std::filesystem::remove_all(QFile::encodeName(directory).toStdString(), problem);
    if (!problem)
        return std::nullopt;
    return Error{tr("could not delete everything: %1").arg(QString::fromStdString(problem.message())),
                 directory, tr("The rest is no longer a run; delete it yourself.")};
}

static void removeWhatWasInterrupted()
{
    const QDir runs(runsDirectory());
    const QStringList left = runs.entryList({deletedPrefix + '*'_L1}, QDir::Dirs | QDir::Hidden);
    for (const QString &name : left)
        static_cast<void>(removeTree(runs.filePath(name)));
}

static void visitFields(Fields &fields, KeepSetting &setting)
{
    fields.newer("keep_days", setting.days);
}

Result<KeepSetting> loadKeepSetting()
{
    const QString path = settingPath();
    if (!QFileInfo::exists(path))
        return KeepSetting();
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        return Error{tr("cannot read the setting: %1").arg(problemOf(file)), path, {}};
    const auto setting = fromJsonText<KeepSetting>(file.read(mostBytes));
    if (!setting || (setting->days && (*setting->days < 1 || *setting->days > KeepSetting::mostDays)))
        return Error{tr("this does not set how long runs are kept"), path,
                     tr("Write {\"keep_days\": 30}, 1 to %1, or null for ever.").arg(KeepSetting::mostDays)};
    return *setting;
}

std::optional<Error> saveKeepSetting(const KeepSetting &setting)
{
    const QString path = settingPath();
    QSaveFile file(path);
    if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly) ||
        file.write(jsonTextOf(setting, 2) + '\n') < 0 || !file.commit())
        return Error{tr("cannot write the setting: %1").arg(problemOf(file)), path, {}};
    return std::nullopt;
}

QList<RunSummary> expiredRuns(QList<RunSummary> runs, const KeepSetting &setting, const QDateTime &now)
{
    if (!setting.days)
        return {};
    runs.removeIf([&](const RunSummary &run) {
        return isLive(run.phase) || !run.ended.isValid() || run.ended.addDays(*setting.days) > now;
    });
    return runs;
}

Result<QStringList> deleteExpiredRuns()
{
    const auto setting = loadKeepSetting();
    if (!setting)
        return setting.error();
    if (!setting->days)
        return QStringList();
    QStringList deleted;
    std::optional<Error> problem;
    const QList<RunSummary> expired =
        expiredRuns(RunSummaries().read(), *setting, QDateTime::currentDateTimeUtc());
    for (const RunSummary &run : expired) {
        if (const auto error = deleteRun(run.directory, false))
            problem = problem ? problem : error;
        else
            deleted << run.name;
    }
    return problem ? Result<QStringList>(*problem) : Result<QStringList>(deleted);
}

Result<RunFiles> runFiles(const QString &directory)
{
    const auto state = endedRun(directory);
    if (!state)
        return state.error();
    RunFiles files{state->name, directory, sizeOf(directory), {}, 0, 0};
    addOutsideLogs(files, *state);
    return files;
}

std::optional<Error> deleteRun(const QString &directory, bool withOutsideLogs)
{
    const auto state = endedRun(directory);
    if (!state)
        return state.error();
    RunFiles files{state->name, directory, 0, {}, 0, 0};
    if (withOutsideLogs)
        addOutsideLogs(files, *state);
    removeWhatWasInterrupted();

    const QString aside = runsDirectory() + '/'_L1 + deletedPrefix + QFileInfo(directory).fileName();
    if (std::rename(QFile::encodeName(directory).constData(), QFile::encodeName(aside).constData()) != 0)
        return Error{tr("cannot delete the run: %1").arg(errnoWords(errno)), directory, {}};
    std::optional<Error> problem;
    for (const QString &path : std::as_const(files.outsideLogs)) {
        if (::unlink(QFile::encodeName(path).constData()) != 0 && errno != ENOENT)
            problem = Error{tr("cannot delete the log: %1").arg(errnoWords(errno)), path, {}};
        removeEmptyFolders(path, state->recordedPlan->emptyDirectory);
    }
    const auto left = removeTree(aside);
    return left ? left : problem;
}

} // namespace rankdeck
