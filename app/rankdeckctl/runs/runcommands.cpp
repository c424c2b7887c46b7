#include "commands.h"
#include "foldedconsole.h"
#include "numberranges.h"
#include "options.h"
#include "output.h"
#include "run/runcatalog.h"
#include "runconsole.h"
#include "terminalconsole.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("runcommands", text);
}

} // namespace

int attachCommand(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {QStringLiteral("--fold")},
                                      {QStringLiteral("--tail"), QStringLiteral("--rank")}, 1);
    if (!options)
        return refuse(options.error());
    RunConsole::Options console;
    const QString rank = options->value("--rank");
    const bool isForAll = rank == QLatin1String("all");
    console.types = options->hasValue("--rank");
    if (console.types && !isForAll) {
        const auto ranks = numbersFromRanges(rank);
        if (!ranks)
            return refuse({tr("\"%1\" names no ranks").arg(rank), QStringLiteral("--rank"),
                           tr("Give for example 3, 0,4-7, or all.")});
        console.ranks.assign(ranks->begin(), ranks->end());
    }
    if (options->hasValue("--tail")) {
        const auto tail = parseNumber(options->value("--tail"), QStringLiteral("--tail"), 0);
        if (!tail)
            return refuse(tail.error());
        console.tail = *tail;
    }
    const auto directory = findRun(options->positional.first());
    if (!directory)
        return refuse(directory.error());
    if (options->has("--fold")) {
        if (!console.types)
            return refuse({tr("nothing is typed to any rank"), QStringLiteral("--fold"),
                           tr("Say to which: --rank all, or --rank 0-3,7.")});
        return FoldedConsole(*directory, console.ranks).watch();
    }
    if (console.ranks.size() == 1)
        return TerminalConsole(*directory, console.ranks.front()).watch();
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

} // namespace rankdeck
