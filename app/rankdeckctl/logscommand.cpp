#include "commands.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "logfetching.h"
#include "logoptions.h"
#include "logprinter.h"
#include "options.h"
#include "output.h"
#include "run/runcatalog.h"
#include "run/runclient.h"
#include "run/runreader.h"

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
    return QCoreApplication::translate("logscommand", text);
}

/// Processes of the run with these ranks, or its scheduler; all without a choice. Error: there is none.
Result<std::vector<int>> chooseProcesses(const LaunchPlan &plan, const LogOptions &wanted)
{
    std::vector<int> chosen;
    const auto add = [&](const auto &isChosen) {
        const std::size_t before = chosen.size();
        for (std::size_t index = 0; index < plan.processes.size(); ++index) {
            if (isChosen(plan.processes[index]))
                chosen.push_back(static_cast<int>(index));
        }
        return chosen.size() > before;
    };
    for (const int rank : wanted.ranks) {
        const bool isThere = add([&](const ProcessPlan &process) {
            return process.role == Role::Worker && process.rank == Rank(rank);
        });
        if (!isThere)
            return Error{tr("this run started no rank %1 here").arg(rank), QStringLiteral("--rank"), {}};
    }
    if (!wanted.ranks.empty())
        return chosen;
    add([&](const ProcessPlan &process) { return !wanted.scheduler || process.role == Role::Scheduler; });
    if (chosen.empty() && wanted.scheduler)
        return Error{tr("this run started no scheduler here"), QStringLiteral("--scheduler"), {}};
    if (chosen.empty())
        return Error{tr("this run started no rank %1 here").arg(0), QStringLiteral("--rank"), {}};
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
template <typename Printer, typename Source>
void followLogs(Printer &printer, Source &source)
{
    constexpr int tickMs = 50;
    QTimer tick;
    QObject::connect(&tick, &QTimer::timeout, &tick, [&] {
        source.update();
        printer.follow(source.state());
        // What is left comes first when the ranks print faster than is looked.
        tick.setInterval(printer.printNew(source.state()) ? 0 : tickMs);
        if (!mayGrow(source.state().phase))
            QCoreApplication::quit();
    });
    tick.start(tickMs);
    QCoreApplication::exec();
}

template <typename Printer, typename Source>
void printWith(Printer printer, Source &source, bool follows)
{
    // The logs of an attempt that was chosen grow no more than it.
    if (follows)
        followLogs(printer, source);
    printer.printRest(source.state());
}

/// Print the logs of what was opened: a run's directory or one of logs alone.
template <typename Source>
int printLogs(Source &source, const Options &options)
{
    const auto wanted = readLogOptions(options);
    if (!wanted)
        return refuse(wanted.error());
    LogChoice choice;
    if (options.hasValue("--tail")) {
        const auto tail = parseNumber(options.value("--tail"), QStringLiteral("--tail"), 0);
        if (!tail)
            return refuse(tail.error());
        choice.tail = *tail;
    }
    const auto state = source.open();
    if (!state)
        return refuse(state.error());
    const auto processes = chooseProcesses(*state->plan, *wanted);
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
    choice.processes = *processes;
    choice.prefix = wanted->ranks.size() == 1 || wanted->scheduler ? LogPrefix::None : LogPrefix::Label;
    choice.streams = options.has("--stderr") ? Streams::Error : Streams::All;
    choice.attempt = *attempt;
    if (wanted->hasView)
        printWith(LogViewer(*state, choice, wanted->view), source, follows);
    else
        printWith(LogPrinter(*state, choice), source, follows);
    return 0;
}

} // namespace

int logsCommand(const QStringList &arguments)
{
    if (arguments.contains(QStringLiteral("--help")) || arguments.contains(QStringLiteral("-h"))) {
        print(logsUsage());
        return 0;
    }
    const QString open = QStringLiteral("--open");
    const auto options = parseOptions(
        arguments,
        {.switches = {QStringLiteral("--follow"), QStringLiteral("--stderr"), QStringLiteral("--scheduler"),
                      QStringLiteral("--merge"), QStringLiteral("--fold"), QStringLiteral("--all-match"),
                      QStringLiteral("--ignore-case"), QStringLiteral("--fixed-strings")},
         .withValue = {QStringLiteral("--rank"), QStringLiteral("--tail"), QStringLiteral("--attempt"),
                       QStringLiteral("--level"), QStringLiteral("--since"), QStringLiteral("--color"), open},
         .repeatable = {QStringLiteral("--grep"), QStringLiteral("--exclude")},
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
