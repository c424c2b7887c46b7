#include "commands.h"
#include "options.h"
#include "output.h"
#include "run/runcatalog.h"
#include "runconsole.h"

namespace rankdeck
{

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

} // namespace rankdeck
