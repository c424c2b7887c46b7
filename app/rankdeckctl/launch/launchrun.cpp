#include "rankdeckctl/launch/launchrun.h"

#include "agent/head/nodequestions.h"
#include "agent/preflight/preflight.h"
#include "agent/supervise/launcher.h"
#include "base/listcomma.h"
#include "base/numberranges.h"
#include "base/oneshottimer.h"
#include "diagnosis/verdict/keptverdict.h"
#include "diagnosis/verdict/verdicttext.h"
#include "launch/text/commandline.h"
#include "rankdeckctl/console/output.h"
#include "rankdeckctl/runs/runconsole.h"
#include "run/process/logout.h"

#include <QEventLoop>
#include <QFileInfo>

namespace rankdeck
{

namespace
{

bool hasStarted(const RunState &state)
{
    return std::ranges::any_of(state.ranks, [](const RankState &rank) { return rank.pid > 0; });
}

/// Follows a run until its first process has started, or none ever will.
class StartWatcher : public RunWatcher
{
public:
    using RunWatcher::RunWatcher;

protected:
    void request(RunClient & /*client*/, const RunState & /*state*/) override {}
    bool update(const RunState &state, const RunState *before) override
    {
        for (const QString &note : state.notes.mid(before ? before->notes.size() : 0))
            sayNote(note);
        return hasStarted(state);
    }
};

} // namespace

/// Waits until the nodes of a detached launch have started its first process, or it has failed, which is
/// reported on standard error; no longer than the time-out of a silent node. Returns the exit code: 0 if the
/// launch goes on.
static int awaitNodes(const QString &runDirectory, const LaunchSpec &spec)
{
    constexpr int roomSeconds = 5; // The supervisor itself notices a silent node a little later.
    const std::chrono::seconds limit(spec.nodes.silenceSeconds + roomSeconds);
    StartWatcher watcher(runDirectory);
    OneShotTimer timer;
    // A launch that is being torn down is about to say why.
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
        if (watcher.state().phase == RunPhase::Starting)
            QCoreApplication::quit();
    });
    timer.start(limit);
    if (const int code = watcher.watch(); code != 0)
        return code;
    const RunState &state = watcher.state();
    if (hasStarted(state))
        return 0;
    if (isLive(state.phase)) {
        sayNote(
            tr("The nodes have not started the run within %1 s. \"rankdeckctl wait %2\" tells how it ends.")
                .arg(limit.count())
                .arg(state.name));
        return 0;
    }
    complain(visibleText(state.failure ? verdictTitle(verdictOf(state))
                                       : tr("Run %1: %2.").arg(state.name, shownWord(state.phase))));
    return state.exitCode;
}

static void warn(const QString &text)
{
    say(tr("rankdeckctl: warning: %1").arg(visibleText(text)));
}

static void sayItIsStopped(const Holder &holder)
{
    say(tr("%1 Stopping it.").arg(visibleText(holder.sentence())));
}

static std::optional<Error> stopOnNodes(const LaunchSpec &spec, const LaunchPlan &plan)
{
    NodeHolders nodes(plan, spec.nodes, QProcessEnvironment::systemEnvironment());
    QEventLoop loop;
    std::optional<Error> problem;
    QObject::connect(&nodes, &NodeHolders::found, &loop, [&](const Holders &holders) {
        for (const Holder &holder : holders.list) {
            if (holder.isOurs())
                sayItIsStopped(holder);
        }
        nodes.end();
    });
    QObject::connect(&nodes, &NodeHolders::ended, &loop, [&](const std::optional<Error> &error) {
        problem = error;
        loop.quit();
    });
    nodes.ask();
    loop.exec();
    return problem;
}

static void printVisibly(const QString &line)
{
    print(visibleText(line));
}

/// Returns the settings that the process does not inherit; empty if there are none.
static QString settingsOf(const ProcessPlan &process)
{
    QStringList settings;
    const QStringList cpus = listOf(process.cpus, [](int cpu) { return QString::number(cpu); });
    if (!cpus.isEmpty())
        settings << tr("cpus %1").arg(cpus.join(','_L1));
    if (!process.memoryNodes.isEmpty())
        settings << tr("memory of NUMA nodes %1").arg(numberRanges(process.memoryNodes));
    if (process.nice != 0)
        settings << tr("nice %1").arg(process.nice);
    if (process.memoryLimitMiB != 0)
        settings << tr("memory limit %1 MiB").arg(process.memoryLimitMiB);
    if (process.openFiles != 0)
        settings << tr("open files %1").arg(process.openFiles);
    if (process.umask >= 0)
        settings << tr("umask %1").arg(process.umask, 3, 8, '0'_L1);
    return settings.join(listComma());
}

static void printHooks(const QString &heading, const std::vector<ProcessPlan> &hooks)
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
        printVisibly(u"  "_s + joinCommandLine(hook.argv));
    }
    printVisibly(place);
}

/// Before a launch, warns of processes that use its devices, with the command that stops Rankdeck's runs, or
/// stops these. For named nodes there are no warnings here: their preparation writes them into the journal.
/// @param stop whether to stop Rankdeck's runs that use devices or the port of `plan`.
/// Fails if one of them could not be stopped.
static std::optional<Error> settleHolders(const LaunchSpec &spec, const LaunchPlan &plan, bool stop)
{
    if (!plan.transport.isEmpty())
        return stop && !plan.allocation ? stopOnNodes(spec, plan) : std::nullopt;
    const Holders holders = findAllHolders(plan, QProcessEnvironment::systemEnvironment());
    if (holders.npuProblem)
        warn(holders.npuProblem->sentence());
    const auto port = plannedPort(plan);
    for (const Holder &holder : holders.list) {
        if (stop && holder.isOurs()) {
            sayItIsStopped(holder);
            if (const auto error = endHolder(holder))
                return error;
        } else if (holder.isOurs() && !holder.devices.isEmpty()) {
            warn(holder.stopHost().isEmpty()
                     ? tr("%1 To stop it: %2").arg(holder.sentence(), holder.stopCommand())
                     : tr("%1 To stop it, on %2: %3")
                           .arg(holder.sentence(), holder.stopHost(), holder.stopCommand()));
        } else if (!holder.devices.isEmpty()) {
            warn(holder.sentence());
        } else if (!port || holder.port != port->port) {
            warn(tr("%1 It is one of HCCL's ports: without HCCL_IF_BASE_PORT, free ones are chosen.")
                     .arg(holder.sentence()));
        }
        // The ranks' own port is left to the check before the start, which refuses.
    }
    return std::nullopt;
}

LaunchSwitches LaunchSwitches::from(const QStringList &found)
{
    return {found.contains("--detach"_L1), found.contains("--quiet"_L1) || found.contains("-q"_L1),
            found.contains("--stop-holders"_L1), found.contains("--raw"_L1)};
}

/// Returns the signals that end the launch. For launcher "processes" those of torch elastic; one that was
/// ignored at the start, as nohup does with SIGHUP, stays so.
static QList<int> stopSignals(const LaunchSpec &spec)
{
    QList<int> numbers{SIGINT, SIGTERM};
    if (spec.launcher != "processes"_L1)
        return numbers;
    QString names = spec.processes.signalsToHandle;
    if (names.isEmpty())
        names = qEnvironmentVariable("TORCHELASTIC_SIGNALS_TO_HANDLE");
    if (names.isEmpty())
        names = u"SIGTERM,SIGINT,SIGHUP,SIGQUIT"_s;
    numbers.clear();
    for (const QString &name : names.split(','_L1, Qt::SkipEmptyParts)) {
        const int number = signalNumber(name.trimmed());
        if (number == 0)
            warn(tr("%1 is not a signal that can be handled: it is ignored.").arg(name.trimmed()));
        else if (!isIgnored(number) || number == SIGINT || number == SIGTERM)
            numbers << number;
    }
    return numbers;
}

/// A launch may be a rank of another launcher, which looks for the cause of its end there.
static void passFailureUp(const QString &directory)
{
    const QString target = qEnvironmentVariable("TORCHELASTIC_ERROR_FILE");
    if (target.isEmpty())
        return;
    const auto state = RunReader(directory).open();
    if (!state || !state->failure || state->failure->rank == Failure::noRank)
        return;
    for (const ProcessPlan &process : state->plan->processes) {
        if (process.role != state->failure->role || process.rank != state->failure->rank)
            continue;
        const QString own = process.setVariables.value("TORCHELASTIC_ERROR_FILE"_L1);
        if (own.isEmpty() || !readErrorFile(own))
            continue;
        if (const auto error = copyErrorFile(own, target, state->exitCode))
            warn(error->sentence());
    }
}

int launchRun(const LaunchSpec &spec, const LaunchPlan &plan, const LaunchSwitches &switches)
{
    if (const auto error = settleHolders(spec, plan, switches.stopHolders))
        return refuse(*error);
    // As torchrun's, unless --detach says otherwise.
    const bool isTied = spec.launcher == "processes"_L1 && !switches.detach;
    const auto directory = startRun(spec, plan, isTied);
    if (!directory)
        return refuse(directory.error());
    const QString name = QFileInfo(*directory).fileName();
    if (switches.detach) {
        print(name);
        if (!plan.transport.isEmpty())
            return awaitNodes(*directory, spec);
        // A watched run reports them in its journal.
        for (const Sentence &note : plan.notes)
            sayNote(note);
        if (const QString warning = logoutWarning(logoutFacts()); !warning.isEmpty())
            sayNote(warning);
        return 0;
    }
    say(tr("Run %1 (%n processes).", "Run %1 (%n process).", int(plan.processes.size())).arg(name));
    const RunConsole::Options options{.showLogs = !switches.quiet,
                                      .isRaw = switches.raw,
                                      .hasErrorsApart = true,
                                      .stopSignals = stopSignals(spec)};
    const int code = RunConsole(*directory, options).watch();
    if (code != 0)
        passFailureUp(*directory);
    return code;
}

void printPlan(const LaunchPlan &plan, bool asJson)
{
    if (asJson) {
        printJson(plan);
        return;
    }
    printVisibly(tr("%1: %n processes on %2, world size %3", "%1: %n process on %2, world size %3",
                    int(plan.processes.size()))
                     .arg(plan.launcher, placeOf(plan))
                     .arg(plan.worldSize()));
    if (plan.maxRestarts > 0)
        printVisibly(tr("After a failure all processes are ended and started again, at most %n times; "
                        "{attempt} is the number of the attempt, from 0.",
                        "After a failure all processes are ended and started again, at most once; "
                        "{attempt} is the number of the attempt, from 0.",
                        plan.maxRestarts));
    for (const Sentence &note : plan.notes)
        printVisibly(note);
    printHooks(tr("Before the launch:"), plan.before);
    for (const ProcessPlan &process : plan.processes) {
        print({});
        printVisibly(u"%1: %2"_s.arg(process.label(), process.argv.join(' '_L1)));
        printVisibly(tr("  in %1, log %2").arg(process.workDir, process.logFile));
        if (!process.stderrFile.isEmpty())
            printVisibly(tr("  standard error %1").arg(process.stderrFile));
        if (const QString settings = settingsOf(process); !settings.isEmpty())
            printVisibly(u"  "_s + settings);
        if (!process.removeVariables.isEmpty())
            printVisibly(tr("  without %1").arg(process.removeVariables.join(nameComma())));
        for (auto it = process.setVariables.begin(); it != process.setVariables.end(); ++it)
            printVisibly(u"  %1=%2"_s.arg(it.key(), it.value()));
    }
    printHooks(tr("After the launch:"), plan.after);
}

} // namespace rankdeck
