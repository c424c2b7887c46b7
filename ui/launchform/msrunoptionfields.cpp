#include "launchform/launcheroptions.h"
#include "launchform/optiongroup.h"
#include "launchform/optiontexts.h"
#include "launchform/tablecheckline.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("rankdeck::LaunchForm", text);
}

auto own(auto MsrunOptions::*value)
{
    return at(&LaunchSpec::msrun, value);
}

constexpr int mostWorkers = 1'000'000;

void addCluster(OptionGroup &options)
{
    options.addNumber({{"--worker_num"}, tr("wor&ker_num"), tr("Ranks of all nodes.")},
                      own(&MsrunOptions::workerNum), {1, mostWorkers});
    options.addNumber({{"--local_worker_num"}, tr("local_wo&rker_num"), tr("Ranks of this node.")},
                      own(&MsrunOptions::localWorkerNum), {1, mostWorkers});
    options.addText({{"--master_addr"},
                     tr("&master_addr"),
                     tr("The scheduler's host, a name or an IPv4 address; it is started here if that is "
                        "this machine.")},
                    TextForm::plain(own(&MsrunOptions::masterAddr)));
    options.addNumber({{"--master_port"}, tr("master_port"), tr("The scheduler's port, 1024 to 65535.")},
                      own(&MsrunOptions::masterPort), {0, 65535});
    options.addNumber({{"--node_rank"}, tr("node_rank"), tr("This node's place among several, from 0.")},
                      own(&MsrunOptions::nodeRank), {-1, mostWorkers, {}, tr("not given")});
}

void addRankTable(OptionGroup &options, TableCheckLine *tableCheck)
{
    TextField *table = options.addPath({{"--rank_table_file", "--rank-table"},
                                        tr("rank_table_file"),
                                        tr("RANK_TABLE_FILE of every process.")},
                                       at(&LaunchSpec::rankTableFile), PathEdit::Kind::File,
                                       tr("Choose a rank table"), tr("none"));
    table->addLine(tableCheck, tableCheck->button());
    table->onContext([tableCheck](const PreviewResult &result) { tableCheck->setCheck(result.check); });
}

void addWorkerLogs(OptionGroup &options)
{
    options.addText({{"--worker_log_name"},
                     tr("worker_log_name"),
                     tr("Logs are called this and _<rank>.log; may hold {ip} and {hostname}.")},
                    TextForm::plain(own(&MsrunOptions::workerLogName)), QStringLiteral("worker"));
    options.addText({{"--tail_worker_log"},
                     tr("tail_worker_log"),
                     tr("Whose lines rankdeckctl prints, ranks with commas; -1: all.")},
                    TextForm::plain(own(&MsrunOptions::tailWorkerLog)));
}

void addDryRun(OptionGroup &options)
{
    options.addNumber({{"--sim_level"}, tr("sim_level"), tr("Dry run, 0 to 3.")},
                      own(&MsrunOptions::simLevel), {-1, 9, {}, tr("none")});
    options.addNumber({{"--sim_rank_id"}, tr("sim_rank_id"), tr("The one rank of a dry run.")},
                      own(&MsrunOptions::simRankId), {-1, mostWorkers, {}, tr("all")});
}

} // namespace

void addMsrunOptions(OptionGroup &options, TableCheckLine *tableCheck)
{
    addCluster(options);
    addWorkDir(options);
    addLogDir(options, {{"--log_dir"}, tr("lo&g_dir"), tr("Where logs go, in the place of earlier ones")},
              tr("the current directory"));

    options.addTitle(tr("Options"));
    addRunOptions(options);
    constexpr int week = 7 * 86400;
    options.addNumber({{"--cluster_time_out"}, tr("cluster_t&ime_out"), tr("For the cluster to form.")},
                      own(&MsrunOptions::clusterTimeOut), {-1, week, tr(" s"), tr("without end")});
    addRankTable(options, tableCheck);
    addBindCore(options, tr("&bind_core"));
    addWorkerLogs(options);
    addDryRun(options);
    addDestroy(options);
    addRaise(options);
}

} // namespace rankdeck
