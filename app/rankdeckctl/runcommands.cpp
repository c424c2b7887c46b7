#include "commands.h"
#include "diagnosis/logdirectory.h"
#include "logfetching.h"
#include "logprinter.h"
#include "options.h"
#include "output.h"
#include "run/runcatalog.h"
#include "run/runclient.h"
#include "run/runreader.h"
#include "runconsole.h"

#include <QCoreApplication>
#include <QTimer>

#include <memory>
#include <type_traits>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("runcommands", text);
}

/// Processes of the run with this rank, or its scheduler; all without a choice. Error: there is none, or both
/// are chosen.
Result<std::vector<int>> chooseProcesses(const LaunchPlan &plan, const std::optional<int> &rank,
                                         bool scheduler)
{
    const QString schedulerOption = QStringLiteral("--scheduler");
    if (rank && scheduler)
        return Error{tr("a rank and the scheduler exclude each other"), schedulerOption,
                     tr("Give one of them.")};
    std::vector<int> chosen;
    for (std::size_t index = 0; index < plan.processes.size(); ++index) {
        const ProcessPlan &process = plan.processes[index];
        const bool isChosen = scheduler
                                  ? process.role == Role::Scheduler
                                  : !rank || (process.role == Role::Worker && process.rank == Rank(*rank));
        if (isChosen)
            chosen.push_back(static_cast<int>(index));
    }
    if (chosen.empty() && scheduler)
        return Error{tr("this run started no scheduler here"), schedulerOption, {}};
    if (chosen.empty())
        return Error{
            tr("this run started no rank %1 here").arg(rank.value_or(0)), QStringLiteral("--rank"), {}};
    return chosen;
}

/// The attempt whose logs are wanted: the newest without a choice. Error: the run had no such one.
Result<int> chooseAttempt(const RunState &state, const Options &options)
{
    const QString name = QStringLiteral("--attempt");
    if (!options.hasValue("--attempt"))
        return state.attempt;
    const auto number = parseNumber(options.value("--attempt"), name, 0);
    if (number && *number > state.attempt)
        return Error{tr("this run has had no attempt %1").arg(*number), name,
                     state.attempt == 0 ? tr("Its ranks have not been restarted.")
                                        : tr("Give 0 to %1.").arg(state.attempt)};
    return number;
}

/// Prints what is added to the logs until the run has ended. `source` is what is asked for news: a RunReader
/// or a LogDirectory.
template <typename Source>
void followLogs(LogPrinter &printer, Source &source)
{
    constexpr int tickMs = 50;
    QTimer tick;
    QObject::connect(&tick, &QTimer::timeout, &tick, [&] {
        source.update();
        printer.follow(source.state());
        printer.printNew(source.state());
        if (!mayGrow(source.state().phase))
            QCoreApplication::quit();
    });
    tick.start(tickMs);
    QCoreApplication::exec();
}

/// A number that may be given, `none` when it is not.
Result<int> numberOr(int none, const Options &options, const char *name)
{
    return options.hasValue(name) ? parseNumber(options.value(name), QLatin1String(name), 0)
                                  : Result<int>(none);
}

/// Print the logs of what was opened: a run's directory or one of logs alone.
template <typename Source>
int printLogs(Source &source, const Options &options)
{
    const auto rank = numberOr(-1, options, "--rank");
    if (!rank)
        return refuse(rank.error());
    const auto tail = numberOr(-1, options, "--tail");
    if (!tail)
        return refuse(tail.error());
    const auto state = source.open();
    if (!state)
        return refuse(state.error());
    const bool scheduler = options.has("--scheduler");
    const auto processes =
        chooseProcesses(*state->plan, *rank < 0 ? std::nullopt : std::optional(*rank), scheduler);
    if (!processes)
        return refuse(processes.error());
    const auto attempt = chooseAttempt(*state, options);
    if (!attempt)
        return refuse(attempt.error());
    const bool follows =
        options.has("--follow") && mayGrow(source.state().phase) && *attempt == state->attempt;
    std::unique_ptr<RunClient> client;
    if constexpr (std::is_same_v<Source, RunReader>) {
        if (follows) {
            client = std::make_unique<RunClient>(state->directory);
            client->show({processes->begin(), processes->end()});
            client->open();
        } else {
            fetchMissingLogs(*state, *processes);
        }
    }
    LogPrinter printer(*state, *processes,
                       *rank >= 0 || scheduler ? LogPrinter::Prefix::None : LogPrinter::Prefix::Label, *tail,
                       options.has("--stderr") ? Streams::Error : Streams::All, *attempt);
    // The logs of an attempt that was chosen grow no more than it.
    if (follows)
        followLogs(printer, source);
    printer.printRest(source.state());
    return 0;
}

} // namespace

int attachCommand(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {}, {QStringLiteral("--tail")}, 1);
    if (!options)
        return refuse(options.error());
    RunConsole::Options console;
    if (options->hasValue("--tail")) {
        const auto tail = parseNumber(options->value("--tail"), QStringLiteral("--tail"), 0);
        if (!tail)
            return refuse(tail.error());
        console.tail = *tail;
    }
    const auto directory = findRun(options->positional.first());
    if (!directory)
        return refuse(directory.error());
    return RunConsole(*directory, console).watch();
}

int waitCommand(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {}, {}, 1);
    if (!options)
        return refuse(options.error());
    const auto directory = findRun(options->positional.first());
    if (!directory)
        return refuse(directory.error());
    RunConsole::Options console;
    console.showLogs = false;
    console.showEvents = false;
    return RunConsole(*directory, console).watch();
}

int logsCommand(const QStringList &arguments)
{
    const QString open = QStringLiteral("--open");
    const auto options = parseOptions(
        arguments,
        {.switches = {QStringLiteral("--follow"), QStringLiteral("--stderr"), QStringLiteral("--scheduler")},
         .withValue = {QStringLiteral("--rank"), QStringLiteral("--tail"), QStringLiteral("--attempt"), open},
         .mostPositional = 1});
    if (!options)
        return refuse(options.error());
    const bool isRun = !options->positional.isEmpty();
    if (isRun == options->hasValue("--open"))
        return refuse({isRun ? tr("a run and a directory of logs exclude each other")
                             : tr("neither a run nor a directory of logs is given"),
                       open, tr("Give one of them: RUN, or --open DIR.")});
    if (!isRun) {
        LogDirectory logs(options->value("--open"));
        return printLogs(logs, *options);
    }
    const auto directory = findRun(options->positional.first());
    if (!directory)
        return refuse(directory.error());
    RunReader run(*directory);
    return printLogs(run, *options);
}

} // namespace rankdeck
