#include "output.h"
#include "ranktable/actions.h"
#include "ranktable/ranktablemerge.h"
#include "ranktable/tableoutput.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("mergeaction", text);
}

void sayOrder(const MergedTable &merged)
{
    const bool isByServer = merged.order == MergeOrder::ServerId;
    say(isByServer ? tr("Ranks are numbered in the order of server_id, as MindSpore wants it.")
                   : tr("Ranks are numbered in the order of the arguments, as merge_hccl.py does."));
    if (!merged.ordersDiffer)
        return;
    say(isByServer
            ? tr("rankdeckctl: warning: merge_hccl.py would have numbered them otherwise, in the order of "
                 "the "
                 "arguments (--keep-order); every host must use the same table.")
            : tr("rankdeckctl: warning: the order of server_id is another, and MindSpore wants that one "
                 "(without --keep-order); every host must use the same table."));
}

} // namespace

int mergeRankTablesAction(const QStringList &arguments)
{
    const auto options = parseOptions(
        arguments, withOutputOptions({{QStringLiteral("--keep-order")}, {}, {}, 2, OptionNames::any}));
    if (!options)
        return refuse(options.error());
    std::vector<RankTable> tables;
    for (const QString &path : options->positional) {
        const auto table = readFinishedTable(path);
        if (!table)
            return refuse(table.error());
        tables.push_back(*table);
    }
    const MergeOrder order = options->has("--keep-order") ? MergeOrder::AsGiven : MergeOrder::ServerId;
    const auto merged = mergeRankTables(tables, options->positional, order);
    if (!merged)
        return refuse(merged.error());
    sayOrder(*merged);
    return writeResult(
        {merged->table, mergedFileName(merged->table), tables.front(), options->positional.first()},
        *options);
}

} // namespace rankdeck
