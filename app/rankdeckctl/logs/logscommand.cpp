#include "agent/head/nodelogs.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/console/rungiven.h"
#include "rankdeckctl/logs/logprinter.h"
#include "run/control/runclient.h"

#include <QEventLoop>

namespace rankdeck
{

namespace
{

/// The options of `logs` that do not depend on the run.
struct LogOptions {
    std::vector<int> ranks; ///< Empty: all.
    bool scheduler = false;
    ViewOptions view;
    bool hasView = false; ///< False: line by line, which is faster.
};

/// Returns the error with the option as its place.
Error inOption(Error error, const char *option)
{
    const QString name = QLatin1String(option);
    error.where = error.where.isEmpty() ? name : u"%1 %2"_s.arg(name, error.where);
    return error;
}

Result<LogFilter> filterFrom(const Options &options)
{
    LogFilterSpec spec;
    const bool isRegex = !options.has("--fixed-strings");
    const bool caseSensitive = !options.has("--ignore-case");
    const QStringList wanted = options.list("--grep");
    for (const QString &text : wanted) {
        if (spec.patterns.empty() || options.has("--all-match"))
            spec.patterns.emplace_back();
        spec.patterns.back().push_back({text, isRegex, caseSensitive, false});
    }
    const QStringList unwanted = options.list("--exclude");
    for (const QString &text : unwanted)
        spec.patterns.push_back({{text, isRegex, caseSensitive, true}});
    if (options.hasValue("--level")) {
        const auto severity = severityNamed(options.value("--level"));
        if (!severity)
            return inOption(severity.error(), "--level");
        spec.leastSeverity = *severity;
    }
    if (options.hasValue("--since")) {
        const auto time = timeGiven(options.value("--since"), QDateTime::currentDateTime());
        if (!time)
            return inOption(time.error(), "--since");
        spec.since = *time;
    }
    const auto filter = LogFilter::create(spec);
    if (!filter)
        return inOption(filter.error(), wanted.isEmpty() ? "--exclude" : "--grep");
    return *filter;
}

/// Copies the missing part of the logs of these processes, by index in the plan, from nodes that share no
/// folder with this one. Returns when the logs are on this node or cannot be fetched, which is reported on
/// standard error.
void fetchMissingLogs(const RunState &state, const std::vector<int> &processes)
{
    LogFetch fetch(state, {processes.begin(), processes.end()});
    QEventLoop loop;
    QObject::connect(&fetch, &LogFetch::failed, &loop, &complain);
    QObject::connect(&fetch, &LogFetch::finished, &loop, &QEventLoop::quit, Qt::QueuedConnection);
    fetch.start();
    loop.exec();
}

/// Fails for values that cannot be understood, or that exclude each other.
Result<LogOptions> readLogOptions(const Options &options)
{
    LogOptions wanted;
    wanted.scheduler = options.has("--scheduler");
    if (options.hasValue("--rank") && options.value("--rank") != "all"_L1) {
        const auto ranks = ranksGiven(options.value("--rank"));
        if (!ranks)
            return ranks.error();
        wanted.ranks.assign(ranks->begin(), ranks->end());
    }
    if (!wanted.ranks.empty() && wanted.scheduler)
        return Error{tr("a rank and the scheduler cannot be combined"), u"--scheduler"_s,
                     tr("Use one of them.")};
    const auto filter = filterFrom(options);
    if (!filter)
        return filter.error();
    const QString color = options.hasValue("--color") ? options.value("--color") : u"auto"_s;
    if (!QStringList{u"auto"_s, u"always"_s, u"never"_s}.contains(color))
        return Error{tr("unknown colour choice \"%1\"").arg(color), u"--color"_s,
                     tr("Give auto, always or never.")};
    wanted.view.filter = *filter;
    wanted.view.isFolded = options.has("--fold");
    wanted.view.isMerged = options.has("--merge") || wanted.view.isFolded;
    wanted.view.isJson = options.has("--json");
    if (wanted.view.isJson && (options.has("--raw") || options.hasValue("--color")))
        return Error{tr("it goes neither with --raw nor with --color"), u"--json"_s, {}};
    wanted.view.isColored = usesColor(color);
    wanted.hasView =
        wanted.view.isMerged || wanted.view.isColored || wanted.view.isJson || !filter->isEmpty();
    return wanted;
}

/// Returns the processes of the run with these ranks, or its scheduler, or all. Fails if there are none.
Result<std::vector<int>> chooseProcesses(const LaunchPlan &plan, const LogOptions &wanted)
{
    std::vector<int> chosen;
    const auto add = [&](const auto &isChosen) {
        const std::size_t before = chosen.size();
        for (std::size_t index = 0; index < plan.processes.size(); ++index) {
            if (isChosen(plan.processes[index]))
                chosen.push_back(int(index));
        }
        return chosen.size() > before;
    };
    for (const int rank : wanted.ranks) {
        const bool isThere = add([&](const ProcessPlan &process) {
            return process.role == Role::Worker && process.rank == Rank(rank);
        });
        if (!isThere)
            return Error{tr("this run started no rank %1 here").arg(rank), u"--rank"_s, {}};
    }
    if (!wanted.ranks.empty())
        return chosen;
    // The lines of some found ranks are copies of the command's own lines.
    add([&](const ProcessPlan &process) {
        return wanted.scheduler ? process.role == Role::Scheduler
                                : !process.isFound || process.console != Streams::None;
    });
    if (chosen.empty() && wanted.scheduler)
        return Error{tr("this run started no scheduler here"), u"--scheduler"_s, {}};
    if (chosen.empty())
        return Error{tr("this run started no rank %1 here").arg(0), u"--rank"_s, {}};
    return chosen;
}

/// Returns the attempt whose logs to print, the newest by default. Fails if there was no such attempt.
Result<int> chooseAttempt(const RunState &state, const Options &options)
{
    const auto number = options.number("--attempt", 0, state.attempt);
    if (number && *number > state.attempt)
        return Error{tr("this run has had no attempt %1").arg(*number), u"--attempt"_s,
                     state.attempt == 0 ? tr("Its ranks have not been restarted.")
                                        : tr("Give 0 to %1.").arg(state.attempt)};
    return number;
}

/// Prints the growth of the logs until the run has finished. `source` reports news of the run: a RunReader, a
/// LogDirectory or a BundleSource.
template <typename Source>
void followLogs(PrintedLogs &printer, Source &source)
{
    constexpr int tickMs = 50;
    QTimer tick;
    QObject::connect(&tick, &QTimer::timeout, &tick, [&] {
        source.update();
        printer.follow(source.state());
        // Without a pause if the ranks print faster than the ticks.
        tick.setInterval(printer.printNew(source.state()) ? 0 : tickMs);
        if (!canPrint() || !mayGrow(source.state().phase))
            QCoreApplication::quit();
    });
    tick.start(tickMs);
    QCoreApplication::exec();
}

template <typename Source>
void printWith(PrintedLogs &&printer, Source &source, bool follows)
{
    if (follows)
        followLogs(printer, source);
    printer.printRest(source.state());
}

/// Prints the logs of a run's directory, of a directory of logs alone, or of a bundle.
template <typename Source>
int printLogs(Source &source, const Options &options)
{
    const auto wanted = readLogOptions(options);
    if (!wanted)
        return refuse(wanted.error());
    LogsToPrint choice;
    const auto tail = options.number("--tail", 0, choice.tail);
    if (!tail)
        return refuse(tail.error());
    choice.tail = *tail;
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
    choice.isRaw = options.has("--raw");
    if (wanted->hasView)
        printWith(LogViewer(*state, choice, wanted->view), source, follows);
    else
        printWith(LogPrinter(*state, choice), source, follows);
    return 0;
}

} // namespace

int logsCommand(const Options &options)
{
    const QString given = options.positional.value(0);
    const bool isPath = options.hasValue("--open");
    if (isPath && !given.isEmpty())
        return refuse({tr("a run and a directory of logs cannot be combined"), u"--open"_s,
                       tr("Give one of them: RUN, or --open PATH.")});
    const QString path = isPath ? options.value("--open") : given;
    if (BundleSource::isBundle(path)) {
        BundleSource bundle(path);
        return printLogs(bundle, options);
    }
    const auto directory = isPath ? Result<QString>(Error{}) : runGiven(given);
    if (directory) {
        RunReader run(*directory);
        return printLogs(run, options);
    }
    if (!isPath && !QFileInfo::exists(given))
        return refuse(directory.error());
    LogDirectory logs(path, LogDirectory::Show::Split);
    return printLogs(logs, options);
}

} // namespace rankdeck
