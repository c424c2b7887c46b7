#include "launchrun.h"

#include "agent/launcher.h"
#include "json.h"
#include "launch/commandline.h"
#include "launchholders.h"
#include "output.h"
#include "run/logout.h"
#include "runconsole.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("launchrun", text);
}

void printVisibly(const QString &line)
{
    print(visibleText(line));
}

/// What the process is given that it would else inherit; empty: nothing.
QString settingsOf(const ProcessPlan &process)
{
    QStringList settings;
    QStringList cpus;
    for (const int cpu : process.cpus)
        cpus << QString::number(cpu);
    if (!cpus.isEmpty())
        settings << tr("cpus %1").arg(cpus.join(QLatin1Char(',')));
    if (process.nice != 0)
        settings << tr("nice %1").arg(process.nice);
    if (process.memoryLimitMiB != 0)
        settings << tr("memory limit %1 MiB").arg(process.memoryLimitMiB);
    if (process.openFiles != 0)
        settings << tr("open files %1").arg(process.openFiles);
    if (process.umask >= 0)
        settings << tr("umask %1").arg(process.umask, 3, 8, QLatin1Char('0'));
    return settings.join(QLatin1String(", "));
}

void printHooks(const QString &heading, const std::vector<ProcessPlan> &hooks)
{
    if (hooks.empty())
        return;
    print({});
    printVisibly(heading);
    QString place;
    for (const ProcessPlan &hook : hooks) {
        const QString ownPlace =
            hook.node.isEmpty() ? tr("  in %1, log %2").arg(hook.workDir, hook.logFile)
                                : tr("  on %1, in %2, log %3").arg(hook.node, hook.workDir, hook.logFile);
        if (!place.isEmpty() && ownPlace != place)
            printVisibly(place);
        place = ownPlace;
        printVisibly(QStringLiteral("  ") + joinCommandLine(hook.argv));
    }
    printVisibly(place);
}

} // namespace

QStringList LaunchSwitches::names()
{
    return {QStringLiteral("--detach"), QStringLiteral("--quiet"), QStringLiteral("--stop-holders")};
}

LaunchSwitches LaunchSwitches::from(const QStringList &found)
{
    return {found.contains(QLatin1String("--detach")), found.contains(QLatin1String("--quiet")),
            found.contains(QLatin1String("--stop-holders"))};
}

QString LaunchSwitches::help()
{
    return tr("  --detach                       return at once and print the run's name\n"
              "  --quiet                        do not print the ranks' lines\n"
              "  --stop-holders                 first stop runs of yours that hold the same devices or port");
}

int launchRun(const LaunchSpec &spec, const LaunchPlan &plan, const LaunchSwitches &switches)
{
    if (const auto error = settleHolders(spec, plan, switches.stopHolders))
        return refuse(*error);
    const auto directory = startRun(spec, plan);
    if (!directory)
        return refuse(directory.error());
    const QString name = QFileInfo(*directory).fileName();
    if (switches.detach) {
        // Who watches a run is told by its journal.
        if (const QString warning = logoutWarning(logoutFacts()); !warning.isEmpty())
            say(warning);
        print(name);
        return 0;
    }
    say(tr("Run %1 (%2 processes).").arg(name).arg(plan.processes.size()));
    RunConsole::Options options;
    options.showLogs = !switches.quiet;
    options.signalsStopRun = true;
    return RunConsole(*directory, options).watch();
}

void printPlan(const LaunchPlan &plan, bool asJson)
{
    if (asJson) {
        print(visibleJson(jsonText(toJson(plan), 2)));
        return;
    }
    printVisibly(tr("%1: %2 processes on %3, world size %4")
                     .arg(plan.launcher)
                     .arg(plan.processes.size())
                     .arg(placeOf(plan))
                     .arg(plan.worldSize()));
    if (plan.maxRestarts > 0)
        printVisibly(
            tr("After a failure all processes are ended and started anew, %1 times at most; {attempt} "
               "is the number of the attempt, from 0.")
                .arg(plan.maxRestarts));
    for (const QString &note : plan.notes)
        printVisibly(note);
    printHooks(tr("Before the launch:"), plan.before);
    for (const ProcessPlan &process : plan.processes) {
        print({});
        printVisibly(QStringLiteral("%1: %2").arg(process.label(), process.argv.join(QLatin1Char(' '))));
        printVisibly(tr("  in %1, log %2").arg(process.workDir, process.logFile));
        if (!process.stderrFile.isEmpty())
            printVisibly(tr("  standard error %1").arg(process.stderrFile));
        if (const QString settings = settingsOf(process); !settings.isEmpty())
            printVisibly(QStringLiteral("  ") + settings);
        if (!process.removeVariables.isEmpty())
            printVisibly(tr("  without %1").arg(process.removeVariables.join(QLatin1String(", "))));
        for (auto it = process.setVariables.begin(); it != process.setVariables.end(); ++it)
            printVisibly(QStringLiteral("  %1=%2").arg(it.key(), it.value()));
    }
    printHooks(tr("After the launch:"), plan.after);
}

} // namespace rankdeck
