#include "rankdeckctl/launch/launchreading.h"

#include "base/listcomma.h"
#include "base/nearestword.h"
#include "launch/exchange/torchrunimport.h"
#include "launch/nodes/planlaunch.h"
#include "launch/options/launchers.h"
#include "launch/options/launchprofile.h"
#include "rankdeckctl/console/command.h"
#include "rankdeckctl/console/output.h"
#include "rankdeckctl/ranktable/tableoutput.h"
#include "ranktable/table/ranktablelocation.h"
#include "run/record/runcatalog.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace rankdeck
{

static void sayNotes(const QStringList &notes)
{
    for (const QString &note : notes)
        sayNote(note);
}

constexpr qint64 mostSpecBytes = 16 * 1024 * 1024;

static Result<LaunchSpec> readSpecFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("the launch cannot be read: %1").arg(problemOf(file)), path, {}};
    const QByteArray text = file.read(mostSpecBytes + 1);
    if (text.size() > mostSpecBytes)
        return Error{tr("larger than %1 MiB, too large for a launch").arg(mostSpecBytes >> 20), path, {}};
    QStringList notes;
    auto spec = processesSpecFromJson(text, &notes);
    if (spec) {
        sayNotes(notes);
        return spec;
    }
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
        return Error{tr("RUN is missing"), again, tr("Run rankdeckctl list to see all runs.")};
    if (rest.isEmpty()) {
        const QStringList names = profileNames();
        return Error{tr("PROFILE is missing"),
                     {},
                     names.isEmpty() ? tr("No profile is saved yet.")
                                     : tr("Available: %1.").arg(names.join(nameComma()))};
    }
    if (!isRun && rest.first().startsWith('-'_L1)) {
        QStringList known = listOf(findCommand({u"run"_s})->allOptions(), &CommandOption::longName);
        return Error{tr("unknown option"), rest.first(),
                     didYouMean(rest.first(), known << again) + ' '_L1 +
                         tr("Options come after PROFILE, see rankdeckctl run --help.")};
    }
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

Result<LaunchPlan> planOfLaunch(const LaunchSpec &spec, const HostFacts &facts, int waitSeconds, int *signal)
{
    if (!needsRankTable(spec))
        return planLaunch(spec, {}, {}, facts);
    const QString path = tablePathOf(spec, facts);
    const auto waited = waitForTable(path, std::chrono::seconds(waitSeconds), u"--wait"_s);
    if (signal)
        *signal = waited.signal;
    if (!waited.table)
        return waited.table.error();
    return planLaunch(spec, *waited.table, path, facts);
}

/// Fails for a launcher that there is not.
static Result<LaunchCommandLine> commandLineOf(const QString &launcher)
{
    const QStringList names = launcherWords() << u"run"_s;
    if (launcherNames().contains(launcher))
        return launcherCommandLine(launcher);
    return Error{tr("unknown launcher \"%1\"").arg(launcher),
                 {},
                 didYouMean(launcher, names, tr("Use %1.").arg(anyOf(names)))};
}

static Result<LaunchSpec> readTorchrun(const QStringList &arguments, const QStringList &switches,
                                       QStringList &found)
{
    auto read = readTorchrunLaunch(arguments, QProcessEnvironment::systemEnvironment(), switches, &found);
    if (!read)
        return read.error();
    sayNotes(read->notes);
    QString &logDir = read->spec.logDir;
    // torchrun, too, has a folder there for each launch.
    if (!logDir.isEmpty() &&
        !QDir(logDir).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot)) {
        logDir += u"/%1-%2-%3"_s.arg(QDateTime::currentDateTime().toString(u"yyyyMMdd-HHmmss"_s),
                                     QSysInfo::machineHostName(),
                                     QString::number(QCoreApplication::applicationPid()));
        sayNote(tr("The log directory is in use: the logs of this launch are in %1.").arg(logDir));
    }
    return std::move(read->spec);
}

/// Reads the command line of a launcher that keeps its own name in the spec.
static Result<LaunchSpec> readOwn(const QString &launcher, const QStringList &arguments,
                                  const QStringList &switches, QStringList &found)
{
    QStringList given;
    QStringList rest;
    for (const QString &argument : arguments)
        (switches.contains(argument) ? given : rest) << argument;
    if (launcher == "processes"_L1 && rest.size() == 1 && rest.first().endsWith(".json"_L1)) {
        found << given;
        return readSpecFile(rest.first());
    }
    auto line = commandLineOf(launcher);
    if (!line)
        return line.error();
    if (launcher == "processes"_L1) {
        const auto fromVariables = processesFromVariables(QProcessEnvironment::systemEnvironment());
        if (!fromVariables)
            return fromVariables.error();
        sayNotes(fromVariables->notes);
        line->defaults = fromVariables->spec;
    }
    return line->parse(arguments, switches, &found);
}

/// Whether the launcher's help is asked for behind a word that was wrong: by -h among the options, not by one
/// of the command's. A word behind an option may be its value, the first one of `run` is its profile.
static bool asksForHelpLater(const QString &launcher, const QStringList &arguments)
{
    bool isBehindOption = launcher == "run"_L1;
    for (const QString &word : arguments) {
        if (word == "--help"_L1 || word == "-h"_L1)
            return true;
        const bool isOption = word.startsWith('-'_L1);
        if (word == "--"_L1 || (!isOption && !isBehindOption))
            return false;
        isBehindOption = isOption && !word.contains('='_L1);
    }
    return false;
}

std::optional<Result<LaunchSpec>> readLaunch(const QString &launcher, const QStringList &arguments,
                                             const QStringList &switches, QStringList &found)
{
    const QStringList all = switches + QStringList{u"--help"_s, u"-h"_s, u"--version"_s, u"-V"_s};
    const auto spec = launcher == "run"_L1        ? readKept(arguments, all, found)
                      : launcher == "torchrun"_L1 ? readTorchrun(arguments, all, found)
                                                  : readOwn(launcher, arguments, all, found);
    if (found.contains("--version"_L1) || found.contains("-V"_L1)) {
        print(versionLine());
        return std::nullopt;
    }
    const Command *command = findCommand({launcher});
    const bool asksForHelp = found.contains("--help"_L1) || found.contains("-h"_L1);
    if (command && (asksForHelp || (!spec && asksForHelpLater(launcher, arguments)))) {
        print(helpOf(*command));
        return std::nullopt;
    }
    return spec;
}

} // namespace rankdeck
