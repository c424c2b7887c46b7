#include "agent/preflight/preflight.h"

#include "agent/preflight/logreservation.h"
#include "agent/preflight/openruns.h"
#include "launch/host/hostfacts.h"
#include "launch/host/portlocks.h"
#include "launch/plan/attempt.h"
#include "launch/planning/pythonfunction.h"
#include "launch/text/environmentrules.h"
#include "run/process/processsettings.h"
#include "run/record/rundirectory.h"
#include "run/record/runkeeper.h"
#include "run/workers/worker.h"

#include <QDir>
#include <QFile>
#include <QHostInfo>
#include <QNetworkInterface>
#include <QSet>
#include <QTcpServer>

#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

/// Returns a port that is free now, to be suggested; 0 if no port is free.
static int freePort(const QHostAddress &address)
{
    QTcpServer server;
    return server.listen(address) ? server.serverPort() : 0;
}

static QString placeOf(const QHostAddress &address, int port)
{
    const bool isAny = address == QHostAddress(QHostAddress::Any);
    return isAny ? tr("port %1").arg(port) : tr("port %1 of %2").arg(port).arg(address.toString());
}

/// How to free a port.
static QString endingOf(const PortListeners &listeners)
{
    const QList<OpenRun> runs = openRuns();
    const OpenRun *run = listeners.processes.empty() ? nullptr : runOf(listeners.processes.front().pid, runs);
    if (run)
        return tr("Stop the run %1, which listens there (rankdeckctl stop %1, or --stop-holders)")
            .arg(run->record.name);
    if (!listeners.processes.empty())
        return tr("End %1, which listens there").arg(nameOf(listeners.processes.front()));
    if (!listeners.otherUser.isEmpty())
        return tr("A process of %1 listens there: ask its owner to end it").arg(listeners.otherUser);
    return tr("End the process that listens there (see ss -ltnp)");
}

static bool isThisMachine(const QString &host)
{
    const QHostAddress written(host);
    const QList<QHostAddress> addresses =
        written.isNull() ? QHostInfo::fromName(host).addresses() : QList<QHostAddress>{written};
    const QList<QHostAddress> own = QNetworkInterface::allAddresses();
    return std::ranges::any_of(addresses, [&](const QHostAddress &address) {
        return address.isLoopback() || own.contains(address);
    });
}

/// A Python that has not said by then whether it has a module is believed to have it.
constexpr int pythonLimitMs = 3000;
constexpr int noSuchModule = 3;
constexpr char findModule[] = "import importlib.util, sys\n"
                              "found = importlib.util.find_spec(sys.argv[1].split('.')[0])\n"
                              "sys.exit(0 if found else 3)\n";

static bool isPython(const QString &program)
{
    return QFileInfo(program).fileName().startsWith("python"_L1);
}

static bool isShell(const QString &program)
{
    const QString name = QFileInfo(program).fileName();
    return name == "sh"_L1 || name == "bash"_L1;
}

/// Returns the index of the first argument that is not an option, or is -m or -c; argv.size() if all are.
static qsizetype firstOperand(const QStringList &argv)
{
    const QStringList withValue =
        isPython(argv.value(0)) ? QStringList{u"-W"_s, u"-X"_s} : QStringList{u"-o"_s, u"-O"_s};
    qsizetype index = 1;
    while (index < argv.size() && argv[index].startsWith('-'_L1) && argv[index] != "-m"_L1 &&
           argv[index] != "-c"_L1 && argv[index] != "-"_L1)
        index += withValue.contains(argv[index]) ? 2 : 1;
    return std::min(index, argv.size());
}

static std::optional<Error> problemWithModule(const ProcessPlan &process,
                                              const QProcessEnvironment &environment)
{
    const QStringList argv = process.ownCommand();
    const qsizetype option = isPython(argv.value(0)) ? firstOperand(argv) : 0;
    if (option == 0 || argv.value(option) != "-m"_L1 || option + 1 == argv.size())
        return std::nullopt;
    const QString &module = argv.at(option + 1);
    QProcess python;
    python.setProcessEnvironment(environmentFor(process, environment));
    python.setWorkingDirectory(process.workDir);
    python.setStandardErrorFile(QProcess::nullDevice());
    python.start(findProgram(argv.first(), process.workDir, searchPathFor(process, environment)).path,
                 {u"-c"_s, QString::fromLatin1(findModule), module});
    if (!python.waitForFinished(pythonLimitMs) || python.exitCode() != noSuchModule)
        return std::nullopt;
    return Error{tr("Python has no module of this name"), module,
                 tr("Install it there, or check its name, the working directory and PYTHONPATH.")};
}

static std::optional<Error> problemWithVirtualEnvironment(const ProcessPlan &process,
                                                          const QProcessEnvironment &environment)
{
    if (process.ownCommand().value(0).contains('/'_L1))
        return std::nullopt;
    const QStringList path = searchPathFor(process, environment).split(':'_L1);
    for (const QString &name : {u"VIRTUAL_ENV"_s, u"CONDA_PREFIX"_s}) {
        const QString directory = process.setVariables.value(name, environment.value(name));
        if (!directory.isEmpty() && !process.removeVariables.contains(name) &&
            path.contains(directory + u"/bin"_s) && !QFileInfo(directory).isDir())
            return Error{tr("the Python environment that the launch was started in was not found"), directory,
                         tr("Create it there, or launch without it: --unset-env %1.").arg(name)};
    }
    return std::nullopt;
}

/// The next Python in PATH would run the ranks, without the packages of the environment.
static std::optional<Error> problemWithGonePython(const ProcessPlan &process,
                                                  const QProcessEnvironment &environment)
{
    const QString program = process.ownCommand().value(0);
    if (program.contains('/'_L1) || !isPython(program))
        return std::nullopt;
    const QStringList path = searchPathFor(process, environment).split(':'_L1);
    for (const QString &name : {u"VIRTUAL_ENV"_s, u"CONDA_PREFIX"_s}) {
        const QString directory = process.setVariables.value(name, environment.value(name));
        const QString folder = directory + u"/bin"_s;
        const QFileInfo python(folder + '/'_L1 + program);
        if (!directory.isEmpty() && path.contains(folder) && !process.removeVariables.contains(name) &&
            python.isSymLink() && !python.exists())
            return Error{
                tr("the Python of this environment is gone: there is no %1").arg(python.symLinkTarget()),
                python.filePath(), tr("Create it there, or launch without it: --unset-env %1.").arg(name)};
    }
    return std::nullopt;
}

/// A shell looks for a script without a '/' in PATH too.
static bool isInPath(const QString &script, const QString &searchPath)
{
    const QStringList folders = searchPath.split(':'_L1, Qt::SkipEmptyParts);
    return !script.contains('/'_L1) && std::ranges::any_of(folders, [&](const QString &folder) {
        return QFileInfo::exists(QDir(folder).filePath(script));
    });
}

static std::optional<Error> problemWithTable(const LaunchPlan &plan)
{
    const bool isToBeMade = std::ranges::any_of(
        plan.files, [&](const PlannedFile &file) { return file.path == plan.rankTableFile; });
    if (plan.rankTableFile.isEmpty() || isToBeMade || QFileInfo(plan.rankTableFile).isFile())
        return std::nullopt;
    return Error{tr("the rank table does not exist"), plan.rankTableFile,
                 tr("Check --rank_table_file, or leave it out.")};
}

/// msrun empties the logs that are there; those of a run that is alive are not its to empty.
static std::optional<Error> problemWithLiveRuns(const LaunchPlan &plan, const QString &ownRun)
{
    QSet<QString> logs;
    for (const ProcessPlan &process : plan.processes)
        logs.insert(process.logFile);
    for (const QString &directory : markedRuns()) {
        const auto record = readRunRecord(directory);
        if (directory == ownRun || !record || !isLive(currentPhase(*record)))
            continue;
        for (const ProcessPlan &process : record->plan.processes) {
            if (logs.contains(process.logFile))
                return Error{tr("the run %1 is live and writes this log").arg(record->name), process.logFile,
                             tr("Stop it, or name another directory with --log_dir.")};
        }
    }
    return std::nullopt;
}

/// Why no file can be made in `folder`, which need not exist yet; empty if one can be made.
static QString unwritableReason(const QString &folder)
{
    const QString existing = existingFolder(folder);
    if (!QFileInfo(existing).isDir())
        return tr("%1 is a file").arg(existing);
    if (access(QFile::encodeName(existing).constData(), W_OK | X_OK) != 0)
        return errnoWords(errno);
    return {};
}

static std::optional<Error> problemWithLogDir(const QString &folder, const QString &mend)
{
    const QString reason = unwritableReason(folder);
    if (reason.isEmpty())
        return std::nullopt;
    return Error{tr("cannot write to the log directory: %1").arg(reason), folder, mend};
}

static std::optional<Error> problemWithWorkDir(const ProcessPlan &process)
{
    if (QFileInfo(process.workDir).isDir())
        return std::nullopt;
    if (!process.makeDirectories.contains(process.workDir))
        return Error{tr("the working directory does not exist"), process.workDir,
                     tr("Create it, or name another with --work-dir.")};
    const QString reason = unwritableReason(process.workDir);
    if (reason.isEmpty())
        return std::nullopt;
    return Error{tr("cannot create the working directory: %1").arg(reason), process.workDir,
                 tr("Name another with --work-dir.")};
}

/// torch's rule for launcher "processes": files of two launches must not be taken for one's.
static std::optional<Error> problemWithEmptiness(const QString &folder)
{
    if (folder.isEmpty() || !QFileInfo(folder).isDir() ||
        QDir(folder).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot))
        return std::nullopt;
    return Error{tr("the log directory is not empty"), folder,
                 tr("Empty it, name another with --log-dir, or leave --log-dir out.")};
}

static std::optional<Error> problemWithHookPrograms(const std::vector<ProcessPlan> &hooks,
                                                    const QString &option,
                                                    const QProcessEnvironment &environment)
{
    for (const ProcessPlan &hook : hooks) {
        const ProgramSearch program =
            findProgram(hook.argv.value(0), hook.workDir, searchPathFor(hook, environment));
        if (program.errorNumber != 0)
            return Error{
                tr("cannot run the command: %1: %2").arg(program.path, errnoWords(program.errorNumber)),
                option, tr("Check its name, PATH and permissions.")};
    }
    return std::nullopt;
}

/// The process's own program, and the wrapper that is to start it.
static std::optional<Error> problemWithPrograms(const ProcessPlan &process, const QString &searchPath)
{
    const QString who = processInSentence(process);
    const ProgramSearch wrapper = findProgram(process.argv.value(0), process.workDir, searchPath);
    if (process.wrapperWords > 0 && wrapper.errorNumber != 0)
        return Error{tr("cannot run the wrapper of %1: %2: %3")
                         .arg(who, wrapper.path, errnoWords(wrapper.errorNumber)),
                     u"--wrap"_s, tr("Install it, or check its name and PATH.")};
    const ProgramSearch program = findProgram(process.ownCommand().value(0), process.workDir, searchPath);
    if (program.errorNumber != 0)
        return Error{tr("cannot run the command of %1: %2: %3")
                         .arg(who, program.path, errnoWords(program.errorNumber)),
                     u"command"_s, tr("Check its name, PATH and permissions.")};
    return std::nullopt;
}

std::optional<PlannedPort> plannedPort(const LaunchPlan &plan)
{
    const bool isTorch = plan.launcher == "processes"_L1;
    for (const ProcessPlan &process : plan.processes) {
        const QMap<QString, QString> &variables = process.setVariables;
        if (process.role == Role::Scheduler)
            return PlannedPort{QHostAddress(variables.value(u"MS_SCHED_HOST"_s)),
                               variables.value(u"MS_SCHED_PORT"_s).toInt(),
                               {tr("the scheduler"), u"--master_port"_s}};
        if (isTorch && process.rank == Rank(0) && isThisMachine(variables.value(u"MASTER_ADDR"_s)))
            return PlannedPort{QHostAddress(QHostAddress::Any),
                               variables.value(u"MASTER_PORT"_s).toInt(),
                               {tr("rank 0"), u"--master-port"_s}};
    }
    return std::nullopt;
}

/// Returns an error if a run other than `ownRun` has reserved the port, even if nothing listens on it yet.
static std::optional<Error> problemWithReservation(const PlannedPort &planned, const QString &ownRun)
{
    const qint64 pid = lockerOfPort(planned.port);
    if (pid == 0 && !isPortReserved(planned.port))
        return std::nullopt;
    const QList<OpenRun> runs = openRuns();
    const OpenRun *run = runOf(static_cast<pid_t>(pid), runs);
    if (run && run->directory == ownRun)
        return std::nullopt;
    const QString holder = run        ? tr("the run %1").arg(run->record.name)
                           : pid == 0 ? tr("a run of another user")
                                      : tr("process %1").arg(pid);
    const int other = freePort(planned.address);
    return Error{tr("%1 has reserved %2, so %3 cannot listen there")
                     .arg(holder, placeOf(planned.address, planned.port), planned.user.who),
                 planned.user.option,
                 tr("Stop it, or choose another port on every node, e.g. %1=%2.")
                     .arg(planned.user.option, QString::number(other))};
}

std::optional<Error> problemWithPlannedPort(const LaunchPlan &plan, const QString &ownRun)
{
    const auto planned = plannedPort(plan);
    if (!planned)
        return std::nullopt;
    if (const auto error = problemWithPort(planned->address, planned->port, planned->user))
        return error;
    return problemWithReservation(*planned, ownRun);
}

QList<int> reservedPorts(const LaunchPlan &share, const QProcessEnvironment &environment)
{
    QList<int> ports;
    if (const auto planned = plannedPort(share))
        ports << planned->port;
    const auto worker = std::ranges::find(share.processes, Role::Worker, &ProcessPlan::role);
    if (worker == share.processes.end())
        return ports;
    const VariableLookup valueOf = [&](const QString &name) {
        return effectiveValue(*worker, environment, name);
    };
    const bool hasOwnBase = !valueOf(u"HCCL_IF_BASE_PORT"_s).isEmpty();
    if (!valueOf(u"HCCL_HOST_SOCKET_PORT_RANGE"_s).isEmpty() || (npusInDev() == 0 && !hasOwnBase))
        return ports;
    const int base = hcclBasePort(valueOf);
    for (int port = base; port < base + hcclHostPortCount; ++port)
        ports << port;
    return ports;
}

bool isPortBusy(const QHostAddress &address, int port)
{
    QTcpServer server;
    return !server.listen(address, static_cast<quint16>(port)) &&
           server.serverError() == QAbstractSocket::AddressInUseError;
}

std::optional<Error> problemWithPort(const QHostAddress &address, int port, const PortUser &user)
{
    QTcpServer server;
    if (server.listen(address, static_cast<quint16>(port)))
        return std::nullopt;
    const QString place = placeOf(address, port);
    if (server.serverError() != QAbstractSocket::AddressInUseError)
        return Error{tr("%1 cannot listen on %2: %3").arg(user.who, place, server.errorString()), user.option,
                     tr("Check the address and the port.")};
    const PortListeners listeners = listenersOn(port);
    const QString ending = endingOf(listeners);
    const int other = freePort(address);
    return Error{tr("%1 is in use, so %2 cannot listen there").arg(place, user.who), user.option,
                 other > 0 ? tr("%1, or choose another on every node, e.g. %2=%3.")
                                 .arg(ending, user.option, QString::number(other))
                           : tr("%1, or choose another on every node.").arg(ending)};
}

QString scriptOf(const QStringList &argv)
{
    const QString program = argv.value(0);
    if (!isPython(program) && !isShell(program))
        return {};
    const qsizetype index = firstOperand(argv);
    const QString operand = argv.value(index);
    if (const QString place = calledPythonFunction(argv.mid(index)).section(':'_L1, 0, -2);
        place.endsWith(".py"_L1))
        return place;
    // "sh -ec COMMAND" has no script either, nor has a shell that reads its standard input.
    const bool isCommand = isShell(program) && index > 1 && argv.at(index - 1).contains('c'_L1);
    return operand.startsWith('-'_L1) || isCommand ? QString() : operand;
}

std::optional<Error> problemWithScript(const ProcessPlan &process, const QString &searchPath)
{
    const QStringList argv = process.ownCommand();
    const QString script = scriptOf(argv);
    const QString path = QDir(process.workDir).absoluteFilePath(script);
    if (script.isEmpty() || QFileInfo::exists(path) ||
        (isShell(argv.first()) && isInPath(script, searchPath)))
        return std::nullopt;
    return Error{tr("the script does not exist"), path, tr("Check its name and the working directory.")};
}

std::optional<Error> problemWithScripts(const LaunchPlan &share, const QProcessEnvironment &environment)
{
    QSet<QStringList> checked; // Most ranks run the same.
    for (const ProcessPlan &process : share.processes) {
        const QStringList own = process.ownCommand();
        const QStringList command = QStringList{process.workDir} + own.mid(0, firstOperand(own) + 2);
        if (checked.contains(command))
            continue;
        checked.insert(command);
        std::optional<Error> problem = problemWithVirtualEnvironment(process, environment);
        if (!problem && share.before.empty())
            problem = problemWithScript(process, searchPathFor(process, environment));
        if (!problem && share.before.empty())
            problem = problemWithModule(process, environment);
        if (problem)
            return problem;
    }
    return std::nullopt;
}

std::optional<Error> problemWithInputs(const LaunchPlan &plan)
{
    const bool isMsrun = plan.launcher == "msrun"_L1;
    const bool isDavincirun = plan.launcher == "davincirun"_L1;
    if ((!isMsrun && !isDavincirun) || plan.processes.empty() || !plan.transport.isEmpty())
        return std::nullopt;
    const ProcessPlan &process = plan.processes.front();
    if (isMsrun || plan.before.empty()) {
        if (const auto error = problemWithScript(process, searchPathFor(process, {})))
            return error;
    }
    return isMsrun ? problemWithTable(plan) : std::nullopt;
}

/// Descriptors that an agent needs besides those of its ranks: streams, samples, tools.
constexpr rlim_t ownOpenFiles = 48;
constexpr rlim_t ownProcesses = 8; ///< Guardians, supervisor, agent, and programs that they start.

/// The processes and threads of this user that the kernel counts.
static rlim_t threadsOfUser()
{
    rlim_t count = 0;
    const QStringList pids = QDir(u"/proc"_s).entryList({u"[0-9]*"_s}, QDir::Dirs);
    for (const QString &pid : pids) {
        struct stat info = {};
        if (stat(QFile::encodeName(u"/proc/%1/task"_s.arg(pid)).constData(), &info) == 0 &&
            info.st_uid == getuid())
            count += info.st_nlink - 2; // One folder a thread.
    }
    return count;
}

static Error limitProblem(const QString &needed, rlim_t limit, const QString &option, rlim_t enough)
{
    return {tr("%1; the limit is %2").arg(needed).arg(limit), u"ulimit -H"_s + option,
            tr("Raise it in the shell that you launch from (ulimit -%1 %2), or ask your administrator.")
                .arg(option)
                .arg(enough)};
}

/// Fails if this user's hard limits of open files or processes are too low for all processes of the plan.
static std::optional<Error> problemWithLimits(const LaunchPlan &plan)
{
    rlim_t files = ownOpenFiles;
    for (const ProcessPlan &process : plan.processes)
        files += process.hasTerminal ? 4 : 1;
    const auto ranks = qulonglong(plan.processes.size());
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && files > limit.rlim_max)
        return limitProblem(
            tr("%n processes need about %1 open files", "%n process needs about %1 open files", int(ranks))
                .arg(files),
            limit.rlim_max, u"n"_s, std::max<rlim_t>(4096, files));
    // The limit does not count for root.
    if (geteuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_max == RLIM_INFINITY)
        return std::nullopt;
    const rlim_t running = threadsOfUser();
    const rlim_t processes = running + ownProcesses + ranks;
    if (processes > limit.rlim_max)
        return limitProblem(tr("%n processes will be started; %1 are already running",
                               "%n process will be started; %1 are already running", int(ranks))
                                .arg(running),
                            limit.rlim_max, u"u"_s, std::max<rlim_t>(65536, processes));
    return std::nullopt;
}

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
        if (const auto error = isChecked ? std::nullopt : problemWithWorkDir(process))
            return error;
        if (const auto error = isChecked ? std::nullopt : problemWithGonePython(process, environment))
            return error;
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
    if (const auto error = problemWithHookPrograms(plan.before, u"--before"_s, environment))
        return error;
    if (const auto error = problemWithHookPrograms(plan.after, u"--after"_s, environment))
        return error;
    if (!plan.emptyDirectory.isEmpty()) {
        if (const auto error = problemWithLogDir(plan.emptyDirectory, logDirMend(plan)))
            return error;
    }
    if (const auto error = problemWithEmptiness(plan.emptyDirectory))
        return error;
    if (const auto error = problemWithInputs(plan))
        return error;
    if (plan.launcher == "msrun"_L1) {
        if (const auto error = problemWithLiveRuns(plan, ownRun))
            return error;
    }
    if (const auto error = problemWithLimits(plan))
        return error;
    return problemWithPlannedPort(plan, ownRun);
}

} // namespace rankdeck
