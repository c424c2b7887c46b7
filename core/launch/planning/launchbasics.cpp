#include "launch/planning/launchbasics.h"

#include "base/filename.h"
#include "launch/spec/optionrows.h"
#include "launch/text/commandline.h"
#include "launch/text/optionvalues.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>

#include <algorithm>

namespace rankdeck
{

/// The first of `names` that no variable can have.
static std::optional<Error> problemWithNames(const QStringList &names, const char *option)
{
    const auto wrong = std::ranges::find_if_not(names, isVariableName);
    if (wrong == names.end())
        return std::nullopt;
    return Error{tr("\"%1\" is not the name of a variable").arg(*wrong), QLatin1String(option), {}};
}

QString launchName(const LaunchSpec &spec)
{
    if (!spec.name.isEmpty())
        return asFileName(spec.name);
    if (const QString &function = spec.processes.function;
        spec.launcher == "processes"_L1 && !function.isEmpty()) {
        const QString place = function.section(':'_L1, 0, -2);
        return asFileName(place.endsWith(".py"_L1) ? QFileInfo(place).completeBaseName()
                                                   : place.section('.'_L1, -1));
    }
    const auto script = std::find_if(spec.command.begin() + 1, spec.command.end(),
                                     [](const QString &argument) { return argument.endsWith(".py"_L1); });
    return asFileName(
        QFileInfo(script == spec.command.end() ? spec.command.first() : *script).completeBaseName());
}

LaunchSpec withAbsolutePaths(LaunchSpec spec, const HostFacts &facts)
{
    spec.workDir = absoluteWorkDir(spec, facts);
    if (!spec.logDir.isEmpty() || spec.launcher == "msrun"_L1)
        spec.logDir = absoluteLaunchPath(spec.logDir.isEmpty() ? u"."_s : spec.logDir, facts);
    for (QString *path : {&spec.rankTableFile, &spec.convertedRankTable, &spec.nodes.sshConfig}) {
        if (!path->isEmpty())
            *path = absoluteLaunchPath(*path, facts);
    }
    for (QString &path : spec.common.envFiles)
        path = absoluteLaunchPath(path, facts);
    return spec;
}

QString absoluteLaunchPath(const QString &path, const HostFacts &facts)
{
    if (path.startsWith(QLatin1String(runDirectoryPlaceholder)))
        return path;
    return QDir::cleanPath(QDir(facts.currentDirectory).absoluteFilePath(path));
}

QString absoluteWorkDir(const LaunchSpec &spec, const HostFacts &facts)
{
    return absoluteLaunchPath(spec.workDir.isEmpty() ? u"."_s : spec.workDir, facts);
}

LaunchPlan planBeginning(const QString &launcher, const LaunchSpec &spec)
{
    LaunchPlan plan;
    plan.launcher = launcher;
    plan.name = launchName(spec);
    plan.jobId = plan.name;
    plan.raiseOnFailure = spec.raiseOnFailure;
    plan.graceSeconds = spec.graceSeconds;
    return plan;
}

QString absoluteLogDir(const LaunchSpec &spec, const HostFacts &facts)
{
    return spec.logDir.isEmpty() ? inRunDirectory(u"/logs"_s) : absoluteLaunchPath(spec.logDir, facts);
}

QStringList withLocalRank(QStringList words, int localRank)
{
    for (qsizetype index = 1; index < words.size(); ++index)
        words[index].replace("${local_rank}"_L1, QString::number(localRank));
    return words;
}

QString scriptInterpreter(const LaunchSpec &spec, const HostFacts &facts)
{
    const QString python3 = u"python3"_s;
    const QString python = u"python"_s;
    const QString wanted = wantedCondaEnvironment(spec, facts.environment);
    if (wanted.isEmpty())
        return facts.environmentPython.isEmpty() ? python3 : facts.environmentPython;
    const auto conda = chooseCondaEnvironment(wanted, facts);
    return conda && conda->programs.contains(python) ? python : python3;
}

QProcessEnvironment launchEnvironment(const LaunchSpec &spec, const HostFacts &facts)
{
    QProcessEnvironment environment = facts.environment;
    for (auto it = spec.environment.begin(); it != spec.environment.end(); ++it)
        environment.insert(it.key(), it.value());
    return environment;
}

bool isVariableName(const QString &name)
{
    return !name.isEmpty() && !name.contains('='_L1) && !name.contains(QChar::Null);
}

std::optional<Error> problemWithBasics(const LaunchSpec &spec)
{
    const CommonOptions &common = spec.common;
    if (spec.command.isEmpty() || spec.command.first().isEmpty())
        return Error{tr("no command to run"), tr("command"),
                     tr("Give the program and its arguments, e.g. python3 train.py.")};
    if (const auto error = outOfRange(commonRows(), spec))
        return error;
    if (const auto words = splitCommandLine(spec.nodes.slurmOptions); !words)
        return Error{words.error().what, u"--slurm-options"_s, words.error().mend};
    for (const auto &error : {progressPatternError(common.progressPattern),
                              dumpSignalError(common.dumpSignal), flightRecorderError(common.flightRecorder),
                              portsError(common.ports), problemWithNames(spec.environment.keys(), "--env"),
                              problemWithNames(common.unsetVariables, "--unset-env")}) {
        if (error)
            return error;
    }
    for (const auto &variables : common.rankEnvironment) {
        if (const auto error = problemWithNames(variables.keys(), "--rank-env"))
            return error;
    }
    return std::nullopt;
}

/// Variables that identify a rank, and the platform's channels, which davincirun turns into
/// an older form for the ranks while a hook that fetches data needs them as they are.
static bool isForRanksOnly(const QString &variable)
{
    static const QSet<QString> names{
        u"RANK"_s,       u"LOCAL_RANK"_s,
        u"ROLE_RANK"_s,  u"TORCHELASTIC_ERROR_FILE"_s,
        u"RANK_ID"_s,    u"DEVICE_ID"_s,
        u"MS_ROLE"_s,    u"ASCEND_DEVICE_ID"_s,
        u"MS_NODE_ID"_s, u"ASCEND_PROCESS_LOG_PATH"_s,
        u"MA_INPUTS"_s,  u"NPU_COLLECT_PATH"_s,
        u"MA_OUTPUTS"_s, u"MSRUN_CPU_LIST"_s,
    };
    return names.contains(variable);
}

static QStringList commonlyRemoved(const std::vector<ProcessPlan> &processes)
{
    QStringList common;
    for (const QString &name : processes.front().removeVariables) {
        if (!isForRanksOnly(name) && std::ranges::all_of(processes, [&](const ProcessPlan &process) {
                return process.removeVariables.contains(name);
            }))
            common << name;
    }
    return common;
}

static void complete(std::vector<ProcessPlan> &hooks, const QList<QStringList> &commands, const QString &when,
                     const std::vector<ProcessPlan> &processes)
{
    for (const QStringList &command : commands)
        hooks.push_back(hook(command));
    const QString logs = inRunDirectory(u"/logs"_s);
    for (ProcessPlan &hook : hooks) {
        hook.workDir = processes.front().workDir;
        hook.setVariables = commonVariables(processes);
        erase_if(hook.setVariables,
                 [](QMap<QString, QString>::iterator variable) { return isForRanksOnly(variable.key()); });
        hook.setVariables.insert(QLatin1String(hookVariable), when);
        hook.removeVariables = commonlyRemoved(processes);
        hook.logFile = u"%1/%2.log"_s.arg(logs, when);
        hook.makeDirectories = QStringList{logs};
        if (processes.front().makeDirectories.contains(hook.workDir))
            hook.makeDirectories << hook.workDir;
    }
}

ProcessPlan hook(const QStringList &argv)
{
    ProcessPlan process;
    process.role = Role::Hook;
    process.device = ProcessPlan::noDevice;
    process.argv = argv;
    return process;
}

std::optional<Error> problemWithHooks(const CommonOptions &options)
{
    for (const auto &[commands, option] :
         {std::pair(&options.before, "--before"), {&options.after, "--after"}}) {
        for (const QStringList &command : *commands) {
            if (command.value(0).isEmpty())
                return Error{tr("no command to run"), QString::fromLatin1(option),
                             tr("Give a program and its arguments, or omit the option.")};
        }
    }
    return std::nullopt;
}

void completeHooks(LaunchPlan &plan, const CommonOptions &options)
{
    if (plan.processes.empty())
        return;
    complete(plan.before, options.before, u"before"_s, plan.processes);
    complete(plan.after, options.after, u"after"_s, plan.processes);
}

} // namespace rankdeck
