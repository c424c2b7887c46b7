#include "commands.h"
#include "numberranges.h"
#include "options.h"
#include "output.h"
#include "rankchoice.h"
#include "run/leftovers.h"
#include "run/runcatalog.h"
#include "run/runending.h"
#include "run/runreader.h"
#include "run/strays.h"
#include "runchoice.h"
#include "runconsole.h"
#include "stopwatcher.h"

#include <QCoreApplication>
#include <QTimer>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("stopcommand", text);
}

QList<int> schedulersOf(const LaunchPlan &plan)
{
    QList<int> found;
    for (int index = 0; index < static_cast<int>(plan.processes.size()); ++index) {
        if (plan.processes[static_cast<std::size_t>(index)].role == Role::Scheduler)
            found << index;
    }
    return found;
}

/// Error: the plan has no such node.
Result<QList<int>> processesOn(const LaunchPlan &plan, const QString &node)
{
    QList<int> found;
    QStringList nodes;
    for (int index = 0; index < static_cast<int>(plan.processes.size()); ++index) {
        const QString &its = plan.processes[static_cast<std::size_t>(index)].node;
        if (its == node)
            found << index;
        if (!nodes.contains(its))
            nodes << its;
    }
    if (found.isEmpty())
        return Error{tr("this run started nothing on a node \"%1\"").arg(node), QStringLiteral("--node"),
                     tr("Its nodes: %1.").arg(nodes.join(QStringLiteral(", ")))};
    return found;
}

/// The processes that the options choose; empty: the whole run.
Result<QList<int>> chosenProcesses(const LaunchPlan &plan, const Options &options)
{
    const bool byRank = options.hasValue("--rank");
    const bool byNode = options.hasValue("--node");
    const bool scheduler = options.has("--scheduler");
    if (int(byRank) + int(byNode) + int(scheduler) > 1)
        return Error{tr("ranks, a node and the scheduler exclude each other"), {}, tr("Give one of them.")};
    if (byRank)
        return workersOf(plan, options.value("--rank"));
    if (byNode)
        return processesOn(plan, options.value("--node"));
    QList<int> schedulers = scheduler ? schedulersOf(plan) : QList<int>();
    if (scheduler && schedulers.isEmpty())
        return Error{tr("this run started no scheduler here"), QStringLiteral("--scheduler"), {}};
    return schedulers;
}

/// Nobody is left who could be asked to end a part.
int stopLeftovers(const QString &directory, const Options &options)
{
    if (options.hasValue("--rank") || options.hasValue("--node") || options.has("--scheduler"))
        return refuse({tr("this run lost its supervisor, so that only all that is left of it can be ended"),
                       {},
                       tr("Give the run's name alone.")});
    const auto state = RunReader(directory).open();
    if (!state)
        return refuse(state.error());
    for (const Leftover &leftover : leftoversOf(*state))
        say(tr("%1 is left of %2: ending it.")
                .arg(nameOf(leftover.process),
                     state->plan->processes[static_cast<std::size_t>(leftover.rank)].label()));
    if (const auto error = endRun(directory)) {
        say(QStringLiteral("rankdeckctl: ") + visibleText(error->sentence()));
        return 1;
    }
    say(tr("Nothing of %1 is alive on this machine.").arg(state->name));
    return 0;
}

int stopWhole(const QString &directory, bool kill)
{
    RunConsole::Options console;
    console.showLogs = false;
    RunConsole watcher(directory, console);
    QTimer::singleShot(0, &watcher, [&] { kill ? watcher.kill() : watcher.stop(); });
    const int code = watcher.watch();
    // What was asked for is the run's end; how it ended was said.
    return code == unusableInput ? code : 0;
}

} // namespace

int stopCommand(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {QStringLiteral("--kill"), QStringLiteral("--scheduler")},
                                      {QStringLiteral("--rank"), QStringLiteral("--node")}, 1);
    if (!options)
        return refuse(options.error());
    const auto run = chooseRun(options->positional.first());
    if (!run)
        return refuse(run.error());
    const auto processes = chosenProcesses(run->record.plan, *options);
    if (!processes)
        return refuse(processes.error());
    if (currentPhase(run->record) == RunPhase::Lost)
        return stopLeftovers(run->directory, *options);
    const bool kill = options->has("--kill");
    return processes->isEmpty() ? stopWhole(run->directory, kill)
                                : StopWatcher(run->directory, {kill, *processes}).watch();
}

} // namespace rankdeck
