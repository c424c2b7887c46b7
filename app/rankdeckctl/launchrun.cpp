#include "launchrun.h"

#include "agent/launcher.h"
#include "json.h"
#include "output.h"
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

} // namespace

QStringList LaunchSwitches::names()
{
    return {QStringLiteral("--detach"), QStringLiteral("--quiet")};
}

LaunchSwitches LaunchSwitches::from(const QStringList &found)
{
    return {found.contains(QLatin1String("--detach")), found.contains(QLatin1String("--quiet"))};
}

QString LaunchSwitches::help()
{
    return tr("  --detach                       return at once and print the run's name\n"
              "  --quiet                        do not print the ranks' lines");
}

int launchRun(const LaunchSpec &spec, const LaunchPlan &plan, const LaunchSwitches &switches)
{
    const auto directory = startRun(spec, plan);
    if (!directory)
        return refuse(directory.error());
    const QString name = QFileInfo(*directory).fileName();
    if (switches.detach) {
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
                     .arg(plan.thisNode)
                     .arg(plan.worldSize()));
    for (const QString &note : plan.notes)
        printVisibly(note);
    for (const ProcessPlan &process : plan.processes) {
        print({});
        printVisibly(QStringLiteral("%1: %2").arg(process.label(), process.argv.join(QLatin1Char(' '))));
        printVisibly(tr("  in %1, log %2").arg(process.workDir, process.logFile));
        if (!process.stderrFile.isEmpty())
            printVisibly(tr("  standard error %1").arg(process.stderrFile));
        for (auto it = process.setVariables.begin(); it != process.setVariables.end(); ++it)
            printVisibly(QStringLiteral("  %1=%2").arg(it.key(), it.value()));
    }
}

} // namespace rankdeck
