#include "launchform/launcheroptions.h"
#include "launchform/optiongroup.h"
#include "launchform/shownpath.h"
#include "launchform/tablecheckline.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text, int n = -1)
{
    return QCoreApplication::translate("rankdeck::LaunchForm", text, nullptr, n);
}

/// "Completed: 8 devices on 1 server."
QString tableSummary(const RankTable &table)
{
    const int devices = table.deviceCount();
    const int servers = int(table.servers.size());
    return tr("Completed: %1 on %2.")
        .arg(devices == 1 ? tr("1 device") : tr("%n devices", devices),
             servers == 1 ? tr("1 server") : tr("%n servers", servers));
}

QString tableHelp(const PreviewResult &result)
{
    if (!result.tableStatus.isEmpty())
        return tr("Not completed yet (%1): Launch waits for it.").arg(result.tableStatus);
    if (result.plan)
        return tableSummary(result.plan->rankTable);
    return tr("A rank table, or the directory of a jobstart_hccl.json.");
}

QString defaultTable(const PreviewResult &result)
{
    return result.defaultTableVariable.isEmpty()
               ? tr("default: %1").arg(result.defaultTablePath)
               : tr("from %1: %2").arg(result.defaultTableVariable, result.defaultTablePath);
}

} // namespace

void addDavincirunOptions(OptionGroup &options, TableCheckLine *tableCheck)
{
    TextField *table =
        options.addPath({{"--rank-table"}, tr("&Rank table"), {}}, at(&LaunchSpec::rankTableFile),
                        PathEdit::Kind::File, tr("Choose a rank table"));
    table->addLine(tableCheck, tableCheck->button());
    table->onContext([table, tableCheck](const PreviewResult &result) {
        table->setPlaceholder(defaultTable(result));
        table->setHelp(tableHelp(result));
        tableCheck->setCheck(result.check);
    });
    addWorkDir(options);
    addLogDir(options, {{"--log-dir"}, tr("Lo&g dir"), tr("Where each rank's log goes")},
              tr("in the run directory"));

    options.addTitle(tr("Options"));
    addRunOptions(options);
    TextField *converted =
        options.addPath({{"--converted-rank-table"},
                         tr("Converted ta&ble"),
                         tr("Where a v0.1 table is written as v1.0; {run}: run directory.")},
                        at(&LaunchSpec::convertedRankTable), PathEdit::Kind::Directory,
                        tr("Choose where a converted table goes"));
    converted->onContext([converted](const PreviewResult &result) {
        converted->setPlaceholder(shownPath(result.defaultConvertedPath));
    });
    options.addNumber({{"--wait"}, tr("Wa&it limit"), tr("For a rank table that is not completed.")},
                      at(&LaunchSpec::rankTableWaitSeconds), {0, 86400, tr(" s")});
    options.addSwitch({{"--no-random-cache-dir"},
                       tr("Rando&m compiler cache"),
                       tr("A fresh MS_COMPILER_CACHE_PATH, removed at the end.")},
                      at(&LaunchSpec::randomCacheDir));
    addDestroy(options);
    addRaise(options);
}

} // namespace rankdeck
