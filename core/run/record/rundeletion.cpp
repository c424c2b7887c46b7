#include "run/rundeletion.h"

#include "launch/attempt.h"
#include "launch/writtenfiles.h"
#include "run/rundirectory.h"
#include "run/runreader.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QSet>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

/// Hidden, so that it is no run any more.
const QString deletedPrefix = QStringLiteral(".deleted-");

QString tr(const char *text)
{
    return QCoreApplication::translate("RunDeletion", text);
}

QString systemError()
{
    return errnoWords(errno);
}

/// A run of this user's, in its place. A link there may lead anywhere.
std::optional<Error> problemWithPlace(const QString &directory)
{
    const QFileInfo info(directory);
    if (QDir(info.path()).canonicalPath() != QDir(runsDirectory()).canonicalPath())
        return Error{tr("this run lies outside the directory of runs"), directory,
                     tr("Delete its directory yourself.")};
    if (info.isSymLink())
        return Error{tr("this is a symbolic link, not a run"), directory, tr("Delete it yourself.")};
    return std::nullopt;
}

Result<RunState> endedRun(const QString &directory)
{
    if (const auto error = problemWithPlace(directory))
        return *error;
    auto state = RunReader(directory).open();
    if (state && isLive(state->phase))
        return Error{tr("the run is live"), state->name,
                     tr("Stop it first: rankdeckctl stop %1.").arg(state->name)};
    return state;
}

/// Every file that one attempt of a plan writes.
QStringList plannedFiles(const LaunchPlan &recorded, int attempt)
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

QSet<QString> filesOfOtherRuns(const QString &directory)
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

bool isRegularFile(const QString &path)
{
    const QFileInfo info(path);
    return info.isFile() && !info.isSymLink();
}

void addOutsideLogs(RunFiles &files, const RunState &state)
{
    QStringList outside;
    for (int attempt = 0; attempt <= state.attempt; ++attempt) {
        const QStringList planned = plannedFiles(*state.recordedPlan, attempt);
        for (const QString &path : planned) {
            if (!path.startsWith(files.directory + QLatin1Char('/')) && isRegularFile(path) &&
                !outside.contains(path))
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

qint64 sizeOf(const QString &directory)
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

/// Folders that the launch made in a directory that was empty go once nothing is in them.
void removeEmptyFolders(const QString &file, const QString &root)
{
    QString folder = QFileInfo(file).path();
    while (!root.isEmpty() && folder.startsWith(root + QLatin1Char('/')) &&
           ::rmdir(QFile::encodeName(folder).constData()) == 0)
        folder = QFileInfo(folder).path();
}

std::optional<Error> removeTree(const QString &directory)
{
    std::error_code problem;
    std::filesystem::remove_all(QFile::encodeName(directory).toStdString(), problem);
    if (!problem)
        return std::nullopt;
    return Error{tr("not everything could be deleted: %1").arg(QString::fromStdString(problem.message())),
                 directory, tr("What is left is no run any more; delete it yourself.")};
}

void removeWhatWasInterrupted()
{
    const QDir runs(runsDirectory());
    const QStringList left = runs.entryList({deletedPrefix + QLatin1Char('*')}, QDir::Dirs | QDir::Hidden);
    for (const QString &name : left)
        static_cast<void>(removeTree(runs.filePath(name)));
}

} // namespace

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

    const QString aside =
        runsDirectory() + QLatin1Char('/') + deletedPrefix + QFileInfo(directory).fileName();
    if (std::rename(QFile::encodeName(directory).constData(), QFile::encodeName(aside).constData()) != 0)
        return Error{tr("the run cannot be deleted: %1").arg(systemError()), directory, {}};
    std::optional<Error> problem;
    for (const QString &path : std::as_const(files.outsideLogs)) {
        if (::unlink(QFile::encodeName(path).constData()) != 0 && errno != ENOENT)
            problem = Error{tr("the log cannot be deleted: %1").arg(systemError()), path, {}};
        removeEmptyFolders(path, state->recordedPlan->emptyDirectory);
    }
    const auto left = removeTree(aside);
    return left ? left : problem;
}

} // namespace rankdeck
