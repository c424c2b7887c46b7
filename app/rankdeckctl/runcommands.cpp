#include "commands.h"
#include "logprinter.h"
#include "options.h"
#include "output.h"
#include "run/runcatalog.h"
#include "run/runreader.h"
#include "runconsole.h"

#include <QCoreApplication>
#include <QTimer>

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

/// Prints what is added to the logs until the run has ended.
void followLogs(LogPrinter &printer, RunReader &reader)
{
    constexpr int tickMs = 50;
    QTimer tick;
    QObject::connect(&tick, &QTimer::timeout, &tick, [&] {
        reader.update();
        printer.followRestarts(reader.state());
        printer.printNew(reader.state());
        if (!isLive(reader.state().phase))
            QCoreApplication::quit();
    });
    tick.start(tickMs);
    QCoreApplication::exec();
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
    const auto options = parseOptions(
        arguments, {QStringLiteral("--follow"), QStringLiteral("--stderr"), QStringLiteral("--scheduler")},
        {QStringLiteral("--rank"), QStringLiteral("--tail"), QStringLiteral("--attempt")}, 1);
    if (!options)
        return refuse(options.error());
    std::optional<int> rank;
    if (options->hasValue("--rank")) {
        const auto number = parseNumber(options->value("--rank"), QStringLiteral("--rank"), 0);
        if (!number)
            return refuse(number.error());
        rank = *number;
    }
    const bool scheduler = options->has("--scheduler");
    int tail = -1;
    if (options->hasValue("--tail")) {
        const auto number = parseNumber(options->value("--tail"), QStringLiteral("--tail"), 0);
        if (!number)
            return refuse(number.error());
        tail = *number;
    }
    const auto directory = findRun(options->positional.first());
    if (!directory)
        return refuse(directory.error());
    RunReader reader(*directory);
    const auto state = reader.open();
    if (!state)
        return refuse(state.error());
    const auto processes = chooseProcesses(*state->plan, rank, scheduler);
    if (!processes)
        return refuse(processes.error());
    const auto attempt = chooseAttempt(*state, *options);
    if (!attempt)
        return refuse(attempt.error());
    LogPrinter printer(*state, *processes,
                       rank || scheduler ? LogPrinter::Prefix::None : LogPrinter::Prefix::Label, tail,
                       options->has("--stderr") ? Streams::Error : Streams::All, *attempt);
    // The logs of an attempt that was chosen grow no more than it.
    if (options->has("--follow") && isLive(reader.state().phase) && *attempt == state->attempt)
        followLogs(printer, reader);
    printer.printRest(reader.state());
    return 0;
}

} // namespace rankdeck
