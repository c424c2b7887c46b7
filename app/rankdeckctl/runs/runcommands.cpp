#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/console/rungiven.h"
#include "rankdeckctl/runs/foldedconsole.h"
#include "rankdeckctl/runs/runconsole.h"
#include "rankdeckctl/runs/terminalconsole.h"

namespace rankdeck
{

constexpr double longestWait = 2'000'000; // Seconds; QTimer counts milliseconds in an int.
/// As timeout(1) has it.
constexpr int timeIsUp = 124;

int attachCommand(const Options &options)
{
    RunConsole::Options console;
    const QString rank = options.value("--rank");
    const bool isForAll = rank == "all"_L1;
    console.types = options.hasValue("--rank");
    if (console.types && !isForAll) {
        const auto ranks = ranksGiven(rank);
        if (!ranks)
            return refuse(ranks.error());
        console.ranks.assign(ranks->begin(), ranks->end());
    }
    const auto tail = options.number("--tail", 0, console.tail);
    if (!tail)
        return refuse(tail.error());
    console.tail = *tail;
    console.isRaw = options.has("--raw");
    console.isJson = options.has("--json");
    if (console.isJson && (console.types || console.isRaw))
        return refuse({tr("it goes neither with --rank nor with --raw"), u"--json"_s, {}});
    const auto directory = runGiven(options.positional.value(0));
    if (!directory)
        return refuse(directory.error());
    if (options.has("--fold")) {
        if (!console.types)
            return refuse({tr("the ranks to type to are missing"), u"--fold"_s,
                           tr("Give --rank all, or e.g. --rank 0-3,7.")});
        return FoldedConsole(*directory, console.ranks).watch();
    }
    if (console.ranks.size() == 1)
        return TerminalConsole(*directory, console.ranks.front()).watch();
    return RunConsole(*directory, console).watch();
}

int waitCommand(const Options &options)
{
    const auto directory = runGiven(options.positional.value(0));
    if (!directory)
        return refuse(directory.error());
    std::optional<double> seconds;
    if (options.hasValue("--timeout")) {
        bool isNumber = false;
        seconds = options.value("--timeout").toDouble(&isNumber);
        if (!isNumber || !(*seconds >= 0) || *seconds > longestWait)
            return refuse({tr("\"%1\" is not a time in seconds").arg(options.value("--timeout")),
                           u"--timeout"_s, tr("Give for example 30 or 0.5.")});
    }
    RunConsole console(*directory, {.showLogs = false, .showEvents = false});
    if (seconds)
        QTimer::singleShot(qRound64(*seconds * 1000), &console, [] { QCoreApplication::exit(timeIsUp); });
    const int code = console.watch();
    return options.has("--json") ? printResults(*directory, code) : code;
}

} // namespace rankdeck
