#include "commands.h"
#include "options.h"
#include "output.h"
#include "run/runcatalog.h"
#include "run/rundeletion.h"

#include <QCoreApplication>
#include <QLocale>

#include <unistd.h>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("deletecommand", text);
}

QString sizeText(qint64 bytes)
{
    return QLocale::c().formattedDataSize(bytes);
}

/// All of them, before any is deleted.
Result<QList<RunFiles>> look(const QStringList &names)
{
    QList<RunFiles> runs;
    QStringList seen;
    for (const QString &name : names) {
        const auto directory = findRun(name);
        if (!directory)
            return directory.error();
        if (seen.contains(*directory))
            continue;
        seen << *directory;
        const auto files = runFiles(*directory);
        if (!files)
            return files.error();
        runs << *files;
    }
    return runs;
}

void describe(const RunFiles &run, bool withLogs)
{
    say(QStringLiteral("%1  %2").arg(visibleText(run.name), sizeText(run.bytes)));
    for (const QString &path : run.outsideLogs)
        say(QStringLiteral("  %1%2").arg(visibleText(path), withLogs ? QString() : tr("  stays")));
    if (!run.outsideLogs.isEmpty() && !withLogs)
        say(tr("  Give --logs to delete these too, %1.").arg(sizeText(run.outsideBytes)));
    if (run.sharedLogs > 0)
        say(tr("  %1 of its logs are another run's as well and stay.").arg(run.sharedLogs));
}

QString question(qsizetype count)
{
    return (count == 1 ? tr("Delete this run?") : tr("Delete these %1 runs?").arg(count)) +
           QStringLiteral(" [y/N] ");
}

} // namespace

int deleteCommand(const QStringList &arguments)
{
    const auto options = parseOptions(
        arguments,
        {.switches = {QStringLiteral("--logs"), QStringLiteral("--yes"), QStringLiteral("--dry-run")},
         .leastPositional = 1,
         .mostPositional = OptionNames::any});
    if (!options)
        return refuse(options.error());
    const bool withLogs = options->has("--logs");
    const auto runs = look(options->positional);
    if (!runs)
        return refuse(runs.error());
    const bool isDryRun = options->has("--dry-run");
    const bool isAsked = !options->has("--yes");
    if (isAsked || isDryRun) {
        for (const RunFiles &run : *runs)
            describe(run, withLogs);
    }
    if (isDryRun)
        return 0;
    if (isAsked && isatty(STDIN_FILENO) == 0)
        return refuse({tr("nobody can be asked here, and nothing was deleted"), {}, tr("Give --yes.")});
    if (isAsked && !isConfirmed(question(runs->size()))) {
        say(tr("Nothing was deleted."));
        return 1;
    }
    int code = 0;
    for (const RunFiles &run : *runs) {
        if (const auto error = deleteRun(run.directory, withLogs)) {
            refuse(*error);
            code = 1;
        } else {
            print(visibleText(run.name));
        }
    }
    return code;
}

} // namespace rankdeck
