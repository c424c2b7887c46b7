#include "commands.h"
#include "options.h"
#include "output.h"
#include "rankchoice.h"
#include "runchoice.h"
#include "terminalconsole.h"
#include "toolwatcher.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("debugcommand", text);
}

QString toolNames()
{
    QStringList names;
    for (const ToolKind &kind : toolKinds())
        names << kind.name;
    return names.join(QStringLiteral(", "));
}

} // namespace

int debugCommand(const QStringList &arguments)
{
    const auto options = parseOptions(
        arguments, {.withValue = {QStringLiteral("--rank")}, .leastPositional = 1, .mostPositional = 2});
    if (!options)
        return refuse(options.error());
    const auto kind = toolKind(options->positional.value(1, QStringLiteral("gdb")));
    if (!kind)
        return refuse({tr("there is no tool \"%1\"").arg(options->positional.last()), QStringLiteral("TOOL"),
                       tr("Give one of %1.").arg(toolNames())});
    const auto run = chooseLiveRun(options->positional.first(),
                                   tr("Name a run that is live, see rankdeckctl list --state live."));
    if (!run)
        return refuse(run.error());
    const auto chosen = workersOf(run->record.plan, options->value("--rank"));
    if (!chosen || chosen->size() != 1)
        return refuse(!chosen && options->hasValue("--rank")
                          ? chosen.error()
                          : Error{tr("a tool looks at one rank"), QStringLiteral("--rank"),
                                  tr("Give its number, for example --rank 3.")});
    int index = -1;
    {
        // Gone before there is a console: it would end that one's event loop.
        ToolWatcher watcher(run->directory, {kind->name, chosen->first()});
        if (const int code = watcher.watch(); code != 0)
            return code;
        if (watcher.index() < 0 || !watcher.problem().isEmpty()) {
            const QString problem =
                watcher.problem().isEmpty() ? tr("The run has ended.") : watcher.problem();
            say(QStringLiteral("rankdeckctl: ") + visibleText(problem));
            return 1;
        }
        index = watcher.index();
    }
    return TerminalConsole(run->directory, TerminalConsole::Process{index}).watch();
}

} // namespace rankdeck
