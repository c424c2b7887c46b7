#include "base/numberranges.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/runs/foldedconsole.h"
#include "rankdeckctl/runs/runconsole.h"
#include "rankdeckctl/runs/terminalconsole.h"
#include "run/record/runcatalog.h"

namespace rankdeck
{

int attachCommand(const Options &options)
{
    RunConsole::Options console;
    const QString rank = options.value("--rank");
    const bool isForAll = rank == "all"_L1;
    console.types = options.hasValue("--rank");
    if (console.types && !isForAll) {
        const auto ranks = numbersFromRanges(rank);
        if (!ranks)
            return refuse({tr("\"%1\" names no ranks").arg(rank), u"--rank"_s,
                           tr("Give for example 3, 0,4-7, or all.")});
        console.ranks.assign(ranks->begin(), ranks->end());
    }
    const auto tail = options.number("--tail", 0, console.tail);
    if (!tail)
        return refuse(tail.error());
    console.tail = *tail;
    console.isRaw = options.has("--raw");
    const auto directory = findRun(options.positional.first());
    if (!directory)
        return refuse(directory.error());
    if (options.has("--fold")) {
        if (!console.types)
            return refuse({tr("nothing is typed to any rank"), u"--fold"_s,
                           tr("Say to which: --rank all, or --rank 0-3,7.")});
        return FoldedConsole(*directory, console.ranks).watch();
    }
    if (console.ranks.size() == 1)
        return TerminalConsole(*directory, console.ranks.front()).watch();
    return RunConsole(*directory, console).watch();
}

int waitCommand(const Options &options)
{
    const auto directory = findRun(options.positional.first());
    if (!directory)
        return refuse(directory.error());
    return RunConsole(*directory, {.showLogs = false, .showEvents = false}).watch();
}

} // namespace rankdeck
