#include "launch/davinciruncommandline.h"

#include "launch/commonoptiontable.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("davincirunOptions", text);
}

} // namespace

LaunchCommandLine davincirunCommandLine()
{
    using Spec = LaunchSpec;
    LaunchCommandLine line;
    line.commandName = tr("the command");
    line.common = commonOptions(line.defaults);
    line.own = {
        textOption(
            "--rank-table PATH", [](Spec &spec) -> QString & { return spec.rankTableFile; },
            tr("rank table, or the directory that holds jobstart_hccl.json")),
        textOption(
            "--converted-rank-table PATH", [](Spec &spec) -> QString & { return spec.convertedRankTable; },
            tr("where a v0.1 table is written as v1.0")),
        numberOption(
            "--wait SECONDS", [](Spec &spec) -> int & { return spec.rankTableWaitSeconds; },
            tr("how long an unfinished rank table is waited for (1800)")),
        textOption(
            "--log-dir DIR", [](Spec &spec) -> QString & { return spec.logDir; },
            tr("where logs go (./log); \"\" for the run directory")),
        switchOption(
            "--no-random-cache-dir", [](Spec &spec) -> bool & { return spec.randomCacheDir; }, false,
            tr("keep MS_COMPILER_CACHE_PATH as it is")),
        switchOption(
            "--no-destroy", [](Spec &spec) -> bool & { return spec.destroyWhenFinished; }, false,
            tr("let the other ranks go on when one fails")),
    };
    return line;
}

} // namespace rankdeck
