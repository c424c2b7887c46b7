#include "launch/msruncommandline.h"

#include "launch/commonoptiontable.h"
#include "launch/msruncheck.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("msrunOptions", text);
}

/// As ast.literal_eval reads it, with True and False the only choices, to which 1 and 0 are equal.
std::optional<Error> readJoin(LaunchSpec &spec, const QString &value)
{
    const QString word = value.trimmed();
    const bool isTrue = word == QLatin1String("True") || word == QLatin1String("1");
    if (!isTrue && word != QLatin1String("False") && word != QLatin1String("0"))
        return Error{tr("\"%1\" is neither True nor False").arg(value), QStringLiteral("--join"),
                     tr("Write --join=True or --join=False, with a capital letter.")};
    spec.msrun.join = isTrue;
    return std::nullopt;
}

} // namespace

LaunchSpec msrunDefaults()
{
    LaunchSpec spec;
    spec.launcher = QStringLiteral("msrun");
    spec.logDir.clear();
    spec.randomCacheDir = false;
    return spec;
}

LaunchCommandLine msrunCommandLine()
{
    using Spec = LaunchSpec;
    LaunchCommandLine line;
    line.defaults = msrunDefaults();
    line.commandName = tr("the script");
    line.problem = problemWithMsrunOptions;
    line.common = commonOptions(line.defaults);
    // msrun has one of its own.
    std::erase_if(line.common,
                  [](const LaunchOption &option) { return option.name == QLatin1String("--bind-core"); });
    line.own = {
        numberOption(
            "--worker_num N", [](Spec &spec) -> int & { return spec.msrun.workerNum; },
            tr("ranks of all nodes (8)")),
        numberOption(
            "--local_worker_num N", [](Spec &spec) -> int & { return spec.msrun.localWorkerNum; },
            tr("ranks of this node (8)")),
        textOption(
            "--master_addr HOST", [](Spec &spec) -> QString & { return spec.msrun.masterAddr; },
            tr("where the scheduler runs: a name or an IPv4 address (127.0.0.1)")),
        numberOption(
            "--master_port N", [](Spec &spec) -> int & { return spec.msrun.masterPort; },
            tr("the scheduler's port, 1024 to 65535 (8118)")),
        numberOption(
            "--node_rank N", [](Spec &spec) -> int & { return spec.msrun.nodeRank; },
            tr("this node's place among the nodes, from 0 (-1: not given)")),
        textOption(
            "--log_dir DIR", [](Spec &spec) -> QString & { return spec.logDir; },
            tr("where logs go, those that are there are overwritten (the current directory)")),
        {QStringLiteral("--join"), QStringLiteral("True|False"),
         tr("wait for the run's end, print its lines (False)"), readJoin,
         [](const Spec &spec) {
             return QStringList{spec.msrun.join ? QStringLiteral("True") : QStringLiteral("False")};
         }},
        numberOption(
            "--cluster_time_out N", [](Spec &spec) -> int & { return spec.msrun.clusterTimeOut; },
            tr("seconds the cluster has to form, negative: without end (600)")),
        bindCoreOption(QStringLiteral("--bind_core")),
        numberOption(
            "--sim_level N", [](Spec &spec) -> int & { return spec.msrun.simLevel; },
            tr("dry run, 0 to 3 (-1: none)")),
        numberOption(
            "--sim_rank_id N", [](Spec &spec) -> int & { return spec.msrun.simRankId; },
            tr("the one rank of a dry run (-1: all)")),
        textOption(
            "--rank_table_file FILE", [](Spec &spec) -> QString & { return spec.rankTableFile; },
            tr("RANK_TABLE_FILE of every process")),
        textOption(
            "--worker_log_name NAME", [](Spec &spec) -> QString & { return spec.msrun.workerLogName; },
            tr("logs are NAME_<rank>.log; may hold {ip} and {hostname} (worker)")),
        textOption(
            "--tail_worker_log RANKS", [](Spec &spec) -> QString & { return spec.msrun.tailWorkerLog; },
            tr("whose lines --join=True prints, with commas (-1: all)")),
    };
    return line;
}

} // namespace rankdeck
