#include "launch/planning/launchbasics.h"

#include "base/filename.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/optionrows.h"
#include "launch/text/commandline.h"
#include "launch/text/optionvalues.h"

#include <QDir>
#include <QFileInfo>

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
    if (const auto error = progressPatternError(common.progressPattern))
        return error;
    if (const auto error = dumpSignalError(common.dumpSignal))
        return error;
    if (const auto error = flightRecorderError(common.flightRecorder))
        return error;
    if (const auto error = portsError(common.ports))
        return error;
    if (const auto error = problemWithNames(spec.environment.keys(), "--env"))
        return error;
    if (const auto error = problemWithNames(common.unsetVariables, "--unset-env"))
        return error;
    for (const auto &variables : common.rankEnvironment) {
        if (const auto error = problemWithNames(variables.keys(), "--rank-env"))
            return error;
    }
    return std::nullopt;
}

} // namespace rankdeck
