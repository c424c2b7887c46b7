#include "agent/preflight/preflight.h"

#include "agent/preflight/logreservation.h"
#include "agent/preflight/msrunpreflight.h"
#include "agent/preflight/portcheck.h"
#include "launch/attempt.h"
#include "run/processsettings.h"
#include "run/worker.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSet>

#include <cerrno>

#include <unistd.h>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("Preflight", text);
}

/// The first problem with making files in `folder`, which need not exist yet.
std::optional<Error> problemWithLogDir(const QString &folder, const QString &mend)
{
    QFileInfo existing(folder);
    while (!existing.exists() && !existing.isRoot())
        existing.setFile(existing.absolutePath());
    const Error error{tr("the log directory cannot be written: %1"), folder, mend};
    if (!existing.isDir())
        return Error{error.what.arg(tr("%1 is a file").arg(existing.filePath())), folder, error.mend};
    if (access(QFile::encodeName(existing.filePath()).constData(), W_OK | X_OK) != 0)
        return Error{error.what.arg(errnoWords(errno)), folder, error.mend};
    return std::nullopt;
}

/// torch's rule for launcher "processes": files of two launches must not be taken for one's.
std::optional<Error> problemWithEmptiness(const QString &folder)
{
    if (folder.isEmpty() || !QFileInfo(folder).isDir() ||
        QDir(folder).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot))
        return std::nullopt;
    return Error{tr("the log directory is not empty"), folder,
                 tr("Empty it, name another with --log-dir, or leave --log-dir out.")};
}

std::optional<Error> problemWithHookPrograms(const std::vector<ProcessPlan> &hooks, const QString &option,
                                             const QProcessEnvironment &environment)
{
    for (const ProcessPlan &hook : hooks) {
        const ProgramSearch program =
            findProgram(hook.argv.value(0), hook.workDir, searchPathFor(hook, environment));
        if (program.errorNumber != 0)
            return Error{
                tr("the command cannot be run: %1: %2").arg(program.path, errnoWords(program.errorNumber)),
                option, tr("Check its name, PATH and permissions.")};
    }
    return std::nullopt;
}

/// The process's own program, and the wrapper that is to start it.
std::optional<Error> problemWithPrograms(const ProcessPlan &process, const QString &searchPath)
{
    const QString who =
        process.role == Role::Scheduler ? tr("the scheduler") : tr("rank %1").arg(process.rank.value);
    const ProgramSearch wrapper = findProgram(process.argv.value(0), process.workDir, searchPath);
    if (process.wrapperWords > 0 && wrapper.errorNumber != 0)
        return Error{tr("the wrapper of %1 cannot be run: %2: %3")
                         .arg(who, wrapper.path, errnoWords(wrapper.errorNumber)),
                     QStringLiteral("--wrap"), tr("Install it, or check its name and PATH.")};
    const ProgramSearch program = findProgram(process.ownCommand().value(0), process.workDir, searchPath);
    if (program.errorNumber != 0)
        return Error{tr("the command of %1 cannot be run: %2: %3")
                         .arg(who, program.path, errnoWords(program.errorNumber)),
                     QStringLiteral("command"), tr("Check its name, PATH and permissions.")};
    return std::nullopt;
}

} // namespace

std::optional<Error> preflight(const LaunchPlan &plan, const QProcessEnvironment &environment,
                               const QString &ownRun)
{
    if (!plan.transport.isEmpty())
        return problemWithEmptiness(plan.emptyDirectory);
    QSet<QStringList> checkedCommands; // Most ranks run the same, and there may be many.
    QSet<QString> checkedFolders;
    for (const ProcessPlan &process : plan.processes) {
        const QString searchPath = searchPathFor(process, environment);
        const QString own = process.ownCommand().value(0);
        const QStringList command{process.workDir, process.argv.value(0), own, searchPath};
        const bool isChecked = checkedCommands.contains(command);
        checkedCommands.insert(command);
        if (!isChecked && !QFileInfo(process.workDir).isDir())
            return Error{tr("the working directory does not exist"), process.workDir,
                         tr("Make it, or name another with --work-dir.")};
        if (const auto error = isChecked ? std::nullopt : problemWithPrograms(process, searchPath))
            return error;
        if (const auto error = problemWithSettings(process))
            return error;
        for (const QString &file : {process.logFile, process.stderrFile}) {
            const QString logDir = QFileInfo(forAttempt(plan, file, 0)).path();
            if (file.isEmpty() || checkedFolders.contains(logDir) ||
                logDir.startsWith(QLatin1String(runDirectoryPlaceholder)))
                continue;
            checkedFolders.insert(logDir);
            if (const auto error = problemWithLogDir(logDir, logDirMend(plan)))
                return error;
        }
    }
    if (const auto error = problemWithHookPrograms(plan.before, QStringLiteral("--before"), environment))
        return error;
    if (const auto error = problemWithHookPrograms(plan.after, QStringLiteral("--after"), environment))
        return error;
    if (!plan.emptyDirectory.isEmpty()) {
        if (const auto error = problemWithLogDir(plan.emptyDirectory, logDirMend(plan)))
            return error;
    }
    if (const auto error = problemWithEmptiness(plan.emptyDirectory))
        return error;
    if (const auto error = problemWithMsrunStart(plan, ownRun))
        return error;
    return problemWithPlannedPort(plan);
}

} // namespace rankdeck
