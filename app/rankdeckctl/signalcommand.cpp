#include "commands.h"
#include "options.h"
#include "output.h"
#include "rankchoice.h"
#include "runchoice.h"
#include "signalwatcher.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("signalcommand", text);
}

} // namespace

int signalCommand(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {}, {QStringLiteral("--rank")}, 2);
    if (!options)
        return refuse(options.error());
    SignalRequest request;
    const QString word = options->positional.last();
    request.number = sendableSignal(word);
    if (request.number == 0)
        return refuse({tr("\"%1\" is no signal that can be sent").arg(word), QStringLiteral("SIGNAL"),
                       tr("Give INT, TERM, KILL, USR1, USR2, STOP or CONT, or its number.")});
    const auto run = chooseLiveRun(options->positional.first(),
                                   tr("Name a run that is live, see rankdeckctl list --state live."));
    if (!run)
        return refuse(run.error());
    const QString ranks = options->value("--rank");
    if (options->hasValue("--rank") && ranks != QLatin1String("all")) {
        const auto chosen = workersOf(run->record.plan, ranks);
        if (!chosen)
            return refuse(chosen.error());
        request.processes = *chosen;
    }
    SignalWatcher watcher(run->directory, request);
    if (const int code = watcher.watch(); code != 0)
        return code;
    for (const QString &problem : watcher.problems())
        say(QStringLiteral("rankdeckctl: ") + visibleText(problem));
    if (watcher.sentTo() == 0 && watcher.problems().isEmpty())
        say(QStringLiteral("rankdeckctl: ") + tr("No rank of the run is alive."));
    const bool haveAll = watcher.sentTo() > 0 && watcher.problems().isEmpty();
    return haveAll ? 0 : 1;
}

} // namespace rankdeck
