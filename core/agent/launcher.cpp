#include "agent/launcher.h"

#include "agent/msrunpreflight.h"
#include "agent/portcheck.h"
#include "launch/attempt.h"
#include "launch/planlaunch.h"
#include "programdirectory.h"
#include "ranktable/ranktablewriter.h"
#include "run/livemarks.h"
#include "run/logout.h"
#include "run/processsettings.h"
#include "run/rundirectory.h"
#include "run/worker.h"

#include <QCoreApplication>
#include <QDir>
#include <QProcess>
#include <QSet>
#include <QStandardPaths>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("Launcher", text);
}

QString errnoWords(int number)
{
    return QString::fromLocal8Bit(std::strerror(number));
}

/// How to name another log directory.
QString logDirMend(const LaunchPlan &plan)
{
    return tr("Name another with %1.")
        .arg(plan.launcher == QLatin1String("msrun") ? QStringLiteral("--log_dir")
                                                     : QStringLiteral("--log-dir"));
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

/// `path` for the n-th run that logs to this place: "x.txt", "x.1.txt", "x.2.txt" …
QString numbered(const QString &path, int number)
{
    if (number == 0)
        return path;
    const QFileInfo file(path);
    return QStringLiteral("%1/%2.%3.%4")
        .arg(file.path(), file.completeBaseName(), QString::number(number), file.suffix());
}

/// The log files of a launch, made empty so that no other launch takes their names; of its first attempt, as
/// those of later ones are in folders that are made then. Removes what it made unless kept. Where the plan
/// overwrites logs, those that are there stay as they are until empty() is called.
class LogReservation
{
public:
    ~LogReservation() { discard(); }

    std::optional<Error> reserve(LaunchPlan &plan)
    {
        int number = 0;
        for (;; ++number) {
            const int problem = tryNumber(plan, number);
            if (problem == 0)
                break;
            discard();
            if (problem != EEXIST) {
                const QString folder = QFileInfo(forAttempt(plan, plan.processes.front().logFile, 0)).path();
                return Error{tr("the log directory cannot be written: %1").arg(errnoWords(problem)), folder,
                             logDirMend(plan)};
            }
        }
        for (ProcessPlan &process : plan.processes) {
            process.logFile = numbered(process.logFile, number);
            if (!process.stderrFile.isEmpty())
                process.stderrFile = numbered(process.stderrFile, number);
        }
        return std::nullopt;
    }

    /// Empty what was there before: nothing but the start can fail any more.
    std::optional<Error> empty() const
    {
        for (const QString &path : m_reserved) {
            if (!m_made.contains(path) && ::truncate(QFile::encodeName(path).constData(), 0) != 0)
                return Error{tr("the log cannot be emptied: %1").arg(errnoWords(errno)), path, {}};
        }
        return std::nullopt;
    }

    void keep() { m_made.clear(); }

private:
    int tryNumber(const LaunchPlan &plan, int number)
    {
        for (const ProcessPlan &process : plan.processes) {
            for (const QString &file : {process.logFile, process.stderrFile}) {
                const int problem =
                    file.isEmpty() ? 0
                                   : tryFile(numbered(forAttempt(plan, file, 0), number), plan.overwriteLogs);
                if (problem != 0)
                    return problem;
            }
        }
        return 0;
    }

    int tryFile(const QString &path, bool overwrite)
    {
        const QString folder = QFileInfo(path).path();
        if (folder != m_folder && !QDir().mkpath(folder))
            return errno != 0 ? errno : EACCES;
        m_folder = folder;
        const QByteArray name = QFile::encodeName(path);
        int file = ::open(name.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        const bool isNew = file >= 0;
        if (!isNew && errno == EEXIST && overwrite)
            file = ::open(name.constData(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
        if (file < 0)
            return errno;
        ::close(file);
        m_reserved << path;
        if (isNew)
            m_made << path;
        return 0;
    }

    void discard()
    {
        for (const QString &path : std::as_const(m_made))
            QFile::remove(path);
        m_made.clear();
        m_reserved.clear();
    }

    QString m_folder; ///< The last one made.
    QStringList m_reserved;
    QStringList m_made; ///< Those that were not there before.
};

std::optional<Error> startSupervisor(const QString &program, const QString &directory)
{
    const QString output = directory + QStringLiteral("/supervisor.log");
    QProcess process;
    process.setProgram(program);
    process.setArguments({QStringLiteral("supervise"), directory});
    process.setWorkingDirectory(QStringLiteral("/"));
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(output, QIODevice::Append);
    process.setStandardErrorFile(output, QIODevice::Append);
    if (!process.startDetached())
        return Error{tr("the supervisor cannot be started: %1").arg(process.errorString()), program, {}};
    return std::nullopt;
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

} // namespace

std::optional<Error> preflight(const LaunchPlan &plan, const QProcessEnvironment &environment)
{
    QSet<QStringList> checkedCommands; // Most ranks run the same, and there may be many.
    QSet<QString> checkedFolders;
    for (const ProcessPlan &process : plan.processes) {
        const QString searchPath = searchPathFor(process, environment);
        const QStringList command{process.workDir, process.argv.value(0), searchPath};
        const bool isChecked = checkedCommands.contains(command);
        checkedCommands.insert(command);
        if (!isChecked && !QFileInfo(process.workDir).isDir())
            return Error{tr("the working directory does not exist"), process.workDir,
                         tr("Make it, or name another with --work-dir.")};
        const ProgramSearch program =
            isChecked ? ProgramSearch() : findProgram(process.argv.value(0), process.workDir, searchPath);
        if (program.errorNumber != 0)
            return Error{tr("the command of %1 cannot be run: %2: %3")
                             .arg(process.role == Role::Scheduler ? tr("the scheduler")
                                                                  : tr("rank %1").arg(process.rank.value),
                                  program.path, errnoWords(program.errorNumber)),
                         QStringLiteral("command"), tr("Check its name, PATH and permissions.")};
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
    if (const auto error = problemWithMsrunStart(plan))
        return error;
    return problemWithPlannedPort(plan);
}

std::optional<Error> problemWithoutTable(const LaunchSpec &spec, const HostFacts &facts)
{
    // Any table will do, and the smallest has one device.
    RankTable table;
    table.status = QStringLiteral("completed");
    table.servers.push_back({{}, {}, 0, {{DeviceId(0), {}, Rank(0)}}});
    LaunchSpec anyRanks = spec;
    anyRanks.common.rankEnvironment.clear();
    const Result<LaunchPlan> plan = planLaunch(anyRanks, table, QStringLiteral("/"), facts);
    if (!plan)
        return plan.error();
    return preflight(*plan, facts.environment);
}

Result<QString> startRun(const LaunchSpec &spec, LaunchPlan plan)
{
    if (plan.processes.empty())
        return Error{tr("the plan has no process to start"), {}, {}};
    const auto program = rankdeckctlPath();
    if (!program)
        return program.error();
    if (const auto error = preflight(plan, QProcessEnvironment::systemEnvironment()))
        return *error;

    RunRecord record;
    record.spec = spec;
    record.plan = std::move(plan);
    if (const QString warning = logoutWarning(logoutFacts()); !warning.isEmpty())
        record.plan.notes << warning;
    const auto directory = createRunDirectory(record);
    if (!directory)
        return directory.error();
    LogReservation logs;
    std::optional<Error> error = logs.reserve(record.plan);
    for (const PlannedFile &file : record.plan.files) {
        if (error)
            break;
        if (const auto written = writeRankTable(file.content, file.path); !written)
            error = written.error();
    }
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

Result<QString> rankdeckctlPath()
{
    const QString name = QStringLiteral("rankdeckctl");
    const QString given = qEnvironmentVariable("RANKDECK_CTL");
    if (!given.isEmpty())
        return given;
    for (const QString &folder : {programDirectory(), QStringLiteral(RANKDECK_INSTALLED_BINDIR)}) {
        const QFileInfo program(folder + QLatin1Char('/') + name);
        if (program.isExecutable())
            return program.filePath();
    }
    const QString found = QStandardPaths::findExecutable(name);
    if (found.isEmpty())
        return Error{tr("the program rankdeckctl, which watches over runs, is not found"),
                     {},
                     tr("Install it beside this program or in PATH, or set RANKDECK_CTL.")};
    return found;
}

} // namespace rankdeck
