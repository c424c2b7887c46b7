#include "rankdeckctl/launch/launchreading.h"

#include "launch/nodes/planlaunch.h"
#include "launch/options/launchers.h"
#include "launch/options/launchprofile.h"
#include "rankdeckctl/console/output.h"
#include "rankdeckctl/launch/launchrun.h"
#include "rankdeckctl/ranktable/waitaction.h"
#include "ranktable/table/ranktablelocation.h"
#include "run/record/runcatalog.h"

#include <QFile>
#include <QFileInfo>

namespace rankdeck
{

static QString about(const QString &launcher)
{
    if (launcher == "davincirun"_L1)
        return tr(
            "Usage: rankdeckctl davincirun [options] COMMAND…\n\n"
            "Waits for the rank table, converts it, starts COMMAND once for each device of this node, and\n"
            "waits. Exits with the first failed rank's code.\n");
    if (launcher == "msrun"_L1)
        return tr(
            "Usage: rankdeckctl msrun [options] SCRIPT…\n\n"
            "Starts the scheduler, where this node is the master, and the workers of this node, as msrun\n"
            "does. SCRIPT is a .py file, or python, python3 or pytest with its arguments. Without\n"
            "--join=True the run's name is printed at once and the run is watched in the background; else\n"
            "this waits and exits with the first failed rank's code.\n");
    if (launcher == "run"_L1)
        return tr(
            "Usage: rankdeckctl run PROFILE [options] [COMMAND…]\n"
            "       rankdeckctl run --again RUN [options] [COMMAND…]\n\n"
            "Launches what a profile holds, or what a run was, in its working directory and with the\n"
            "environment of today; options of its launcher and a command given here win over its own.\n"
            "PROFILE is a name of rankdeckctl profile list, or a file; RUN is one of rankdeckctl list.\n");
    return tr(
        "Usage: rankdeckctl processes [options] -- COMMAND…\n"
        "       rankdeckctl processes SPEC.json\n\n"
        "Starts COMMAND once for each local rank with the environment that torchrun gives it, and waits.\n"
        "${local_rank} in an argument is the local rank. SPEC.json may name arguments and variables by\n"
        "local rank. Exits with the code of the rank whose failure came first.\n");
}

constexpr qint64 mostSpecBytes = 16 * 1024 * 1024;

static Result<LaunchSpec> readSpecFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("the launch cannot be read: %1").arg(file.errorString()), path, {}};
    const QByteArray text = file.read(mostSpecBytes + 1);
    if (text.size() > mostSpecBytes)
        return Error{
            tr("this is too long for a launch: more than %1 MiB").arg(mostSpecBytes >> 20), path, {}};
    auto spec = processesSpecFromJson(text);
    if (spec)
        return spec;
    Error error = spec.error();
    error.where = error.where.isEmpty() ? path : u"%1: %2"_s.arg(path, error.where);
    return error;
}

static Result<LaunchSpec> specOfRun(const QString &name)
{
    const auto directory = findRun(name);
    if (!directory)
        return directory.error();
    const auto record = readRunRecord(*directory);
    return record ? Result<LaunchSpec>(record->spec) : Result<LaunchSpec>(record.error());
}

/// Reads a profile, or with --again a run, and the options that change it; a command replaces the
/// one it has.
static Result<LaunchSpec> readKept(const QStringList &arguments, const QStringList &switches,
                                   QStringList &found)
{
    const QString again = u"--again"_s;
    QStringList rest = arguments;
    while (!rest.isEmpty() && switches.contains(rest.first()))
        found << rest.takeFirst();
    const bool isRun = rest.value(0) == again;
    if (isRun)
        rest.removeFirst();
    if (rest.isEmpty() && isRun)
        return Error{tr("the run's name is missing"), again, tr("See rankdeckctl list.")};
    if (rest.isEmpty())
        return Error{
            tr("the profile's name is missing"), {}, tr("There are: %1.").arg(profileNames().join(", "_L1))};
    const QString name = rest.takeFirst();
    const auto kept = isRun ? specOfRun(name) : loadProfile(name);
    if (!kept)
        return kept.error();
    auto line = launcherCommandLine(kept->launcher);
    if (!line)
        return line.error();
    line->defaults = *kept;
    line->problem = nullptr;
    auto spec = line->parse(rest, switches, &found);
    if (spec && spec->command.isEmpty())
        spec->command = kept->command;
    return spec;
}

QString tablePathOf(const LaunchSpec &spec, const HostFacts &facts)
{
    if (!needsRankTable(spec) && spec.rankTableFile.isEmpty())
        return {};
    return QFileInfo(rankTablePath(spec.rankTableFile, facts.environment)).absoluteFilePath();
}

Result<LaunchPlan> planOfLaunch(const LaunchSpec &spec, const HostFacts &facts, int waitSeconds)
{
    if (!needsRankTable(spec))
        return planLaunch(spec, {}, {}, facts);
    const QString path = tablePathOf(spec, facts);
    const auto waited =
        waitForTable(path, std::chrono::seconds(waitSeconds), [&](const QString &status, int seconds) {
            if (seconds % 60 == 0)
                sayWaiting(path, status, seconds);
        });
    if (!waited.table)
        return waited.table.error();
    return planLaunch(spec, *waited.table, path, facts);
}

QString launchHelp(const QString &launcher)
{
    const auto line = launcherCommandLine(launcher);
    return about(launcher) + '\n'_L1 + (line ? line->help() : QString()) + LaunchSwitches::help();
}

Result<LaunchSpec> readLaunch(const QString &launcher, const QStringList &arguments,
                              const QStringList &switches, QStringList &found)
{
    if (launcher == "run"_L1)
        return readKept(arguments, switches, found);
    QStringList given;
    QStringList rest;
    for (const QString &argument : arguments)
        (switches.contains(argument) ? given : rest) << argument;
    if (launcher == "processes"_L1 && rest.size() == 1 && rest.first().endsWith(".json"_L1)) {
        found << given;
        return readSpecFile(rest.first());
    }
    const auto line = launcherCommandLine(launcher);
    return line ? line->parse(arguments, switches, &found) : line.error();
}

} // namespace rankdeck
