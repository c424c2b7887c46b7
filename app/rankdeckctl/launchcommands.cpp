#include "agent/launcher.h"
#include "commands.h"
#include "json.h"
#include "launch/davincirunoptions.h"
#include "launch/planlaunch.h"
#include "output.h"
#include "ranktable/findingtext.h"
#include "ranktable/ranktablecheck.h"
#include "ranktable/ranktablelocation.h"
#include "runconsole.h"
#include "tablewait.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("launchcommands", text);
}

/// Errors that a warning spells out; the rest is counted.
constexpr int errorsShown = 5;

QString pathOfTable(const LaunchSpec &spec, const HostFacts &facts)
{
    return QFileInfo(rankTablePath(spec.rankTableFile, facts.environment)).absoluteFilePath();
}

/// What the communication library will say of the table, on standard error. The launch goes on: the check may
/// be wrong, and the ranks will tell.
void warnAboutTable(const QString &path)
{
    const auto report = checkRankTableFile(path);
    if (!report || report->unusable)
        return;
    int shown = 0;
    for (const Finding &finding : report->findings) {
        if (finding.severity == Severity::Error && shown++ < errorsShown)
            say(tr("rankdeckctl: warning: %1").arg(findingLine(path, finding)));
    }
    if (shown > errorsShown)
        say(tr("rankdeckctl: warning: %1 more errors: rankdeckctl ranktable check %2")
                .arg(shown - errorsShown)
                .arg(visibleText(path)));
}

Result<LaunchPlan> makePlan(const LaunchSpec &spec, int waitSeconds)
{
    const HostFacts facts = HostFacts::gather();
    const QString path = pathOfTable(spec, facts);
    const auto waited =
        waitForTable(path, std::chrono::seconds(waitSeconds), [&](const QString &status, int seconds) {
            if (seconds % 60 == 0)
                sayWaiting(path, status, seconds);
        });
    if (!waited.table)
        return waited.table.error();
    return planLaunch(spec, *waited.table, path, facts);
}

void printHelp()
{
    print(tr("Usage: rankdeckctl davincirun [options] COMMAND…\n\n"
             "Waits for the rank table, converts it, starts COMMAND once for each device of this node, and "
             "waits.\n"
             "Exits with the first failed rank's code.\n") +
          QLatin1Char('\n') + davincirunOptionsHelp() +
          tr("  --detach                       return at once and print the run's name\n"
             "  --quiet                        do not print the ranks' lines"));
}

/// A plan holds text from the rank table.
void printVisibly(const QString &line)
{
    print(visibleText(line));
}

void printPlan(const LaunchPlan &plan)
{
    printVisibly(tr("%1: %2 processes on %3, world size %4")
                     .arg(plan.launcher)
                     .arg(plan.processes.size())
                     .arg(plan.thisNode)
                     .arg(plan.worldSize()));
    for (const QString &note : plan.notes)
        printVisibly(note);
    for (const ProcessPlan &process : plan.processes) {
        print({});
        printVisibly(QStringLiteral("%1: %2").arg(process.label(), process.argv.join(QLatin1Char(' '))));
        printVisibly(tr("  in %1, log %2").arg(process.workDir, process.logFile));
        for (auto it = process.setVariables.begin(); it != process.setVariables.end(); ++it)
            printVisibly(QStringLiteral("  %1=%2").arg(it.key(), it.value()));
    }
}

} // namespace

int davincirunCommand(const QStringList &arguments)
{
    const QString help = QStringLiteral("--help");
    const QString detach = QStringLiteral("--detach");
    const QString quiet = QStringLiteral("--quiet");
    QStringList switches;
    const auto spec = parseDavincirunArguments(arguments, {help, detach, quiet}, &switches);
    if (switches.contains(help)) {
        printHelp();
        return 0;
    }
    if (!spec)
        return refuse(spec.error());
    if (const auto error = problemWithoutTable(*spec, HostFacts::gather()))
        return refuse(*error);
    const auto plan = makePlan(*spec, spec->rankTableWaitSeconds);
    if (!plan)
        return refuse(plan.error());
    warnAboutTable(pathOfTable(*spec, HostFacts::gather()));
    const auto directory = startRun(*spec, *plan);
    if (!directory)
        return refuse(directory.error());
    const QString name = QFileInfo(*directory).fileName();
    if (switches.contains(detach)) {
        print(name);
        return 0;
    }
    say(tr("Run %1 (%2 processes).").arg(name).arg(plan->processes.size()));
    RunConsole::Options options;
    options.showLogs = !switches.contains(quiet);
    options.signalsStopRun = true;
    return RunConsole(*directory, options).watch();
}

int planCommand(const QStringList &arguments)
{
    const QString launcher = arguments.value(0);
    if (launcher != QLatin1String("davincirun"))
        return refuse(
            {tr("there is no launcher \"%1\"").arg(launcher), {}, tr("The launcher is davincirun.")});
    const QString asJson = QStringLiteral("--json");
    QStringList switches;
    const auto spec = parseDavincirunArguments(arguments.mid(1), {asJson}, &switches);
    if (!spec)
        return refuse(spec.error());
    const auto plan = makePlan(*spec, 0);
    if (!plan)
        return refuse(plan.error());
    if (switches.contains(asJson))
        print(visibleJson(jsonText(toJson(*plan), 2)));
    else
        printPlan(*plan);
    return 0;
}

} // namespace rankdeck
