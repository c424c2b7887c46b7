#include "launch/options/launchers.h"

#include "launch/options/commonoptiontable.h"
#include "launch/planning/planners.h"

namespace rankdeck
{

namespace
{

/// Reads --join as ast.literal_eval does, with the choices True and False, which equal 1 and 0 in Python.
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

/// The value of --redirects or --tee.
struct StreamsChoice {
    QMap<int, Streams> byRank;
    Streams otherwise = Streams::None;
};

Result<StreamsChoice> readStreams(const QString &name, const QString &value)
{
    const Error error{
        tr("\"%1\" names no streams").arg(value), name,
        tr("Give 0 to 3, NONE, OUT, ERR or ALL, or one of these by local rank, such as 0:1,1:ALL.")};
    StreamsChoice choice;
    if (!value.contains(QLatin1Char(':'))) {
        const auto streams = streamsFrom(value);
        if (!streams)
            return error;
        choice.otherwise = *streams;
        return choice;
    }
    const QStringList entries = value.split(QLatin1Char(','));
    for (const QString &entry : entries) {
        const auto colon = entry.indexOf(QLatin1Char(':'));
        bool isNumber = false;
        const int localRank = entry.left(colon).toInt(&isNumber);
        const auto streams = streamsFrom(entry.mid(colon + 1));
        if (colon < 1 || !isNumber || localRank < 0 || !streams)
            return error;
        if (choice.byRank.contains(localRank))
            return Error{tr("local rank %1 is named twice").arg(localRank), name, {}};
        choice.byRank.insert(localRank, *streams);
    }
    return choice;
}

/// Returns text that readStreams() reads as these streams.
QString streamsText(const QMap<int, Streams> &byRank, Streams otherwise, int nproc)
{
    if (byRank.isEmpty())
        return streamsWord(otherwise);
    QMap<int, Streams> all = byRank;
    for (int localRank = 0; otherwise != Streams::None && localRank < nproc; ++localRank) {
        if (!all.contains(localRank))
            all.insert(localRank, otherwise);
    }
    QStringList entries;
    for (auto it = all.begin(); it != all.end(); ++it)
        entries << QStringLiteral("%1:%2").arg(it.key()).arg(streamsWord(it.value()));
    return entries.join(QLatin1Char(','));
}

/// Whether neither --redirects nor --tee was given.
bool streamsAreAsIs(const ProcessesOptions &options)
{
    const ProcessesOptions asIs;
    return options.redirects == asIs.redirects && options.defaultRedirect == asIs.defaultRedirect &&
           options.tee == asIs.tee && options.defaultTee == asIs.defaultTee;
}

/// One of --redirects and --tee: given alone it leaves nothing to the other, so both are written or none.
LaunchOption streamsOption(const QString &name, const QString &help,
                           QMap<int, Streams> ProcessesOptions::*byRank, Streams ProcessesOptions::*otherwise)
{
    return {name, QStringLiteral("STREAMS"), help,
            [=](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                const auto choice = readStreams(name, text);
                if (!choice)
                    return choice.error();
                if (streamsAreAsIs(spec.processes))
                    spec.processes.defaultRedirect = spec.processes.defaultTee = Streams::None;
                spec.processes.*byRank = choice->byRank;
                spec.processes.*otherwise = choice->otherwise;
                return std::nullopt;
            },
            [=](const LaunchSpec &spec) {
                const ProcessesOptions &own = spec.processes;
                return streamsAreAsIs(own) ? QStringList()
                                           : QStringList{streamsText(own.*byRank, own.*otherwise, own.nproc)};
            }};
}

} // namespace

LaunchCommandLine davincirunCommandLine()
{
    using Spec = LaunchSpec;
    LaunchCommandLine line;
    line.commandName = tr("the command");
    line.common = commonOptions(line.defaults);
    line.own = {
        textOption("--rank-table PATH", &Spec::rankTableFile,
                   tr("rank table, or the directory that holds jobstart_hccl.json")),
        textOption("--converted-rank-table PATH", &Spec::convertedRankTable,
                   tr("where a v0.1 table is written as v1.0")),
        numberOption("--wait SECONDS", &Spec::rankTableWaitSeconds,
                     tr("how long an unfinished rank table is waited for (1800)")),
        textOption("--log-dir DIR", &Spec::logDir, tr("where logs go (./log); \"\" for the run directory")),
        switchOption("--no-random-cache-dir", &Spec::randomCacheDir, false,
                     tr("keep MS_COMPILER_CACHE_PATH as it is")),
        switchOption("--no-destroy", &Spec::destroyWhenFinished, false,
                     tr("let the other ranks go on when one fails")),
    };
    return line;
}

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
    // msrun spells this option --bind_core.
    std::erase_if(line.common,
                  [](const LaunchOption &option) { return option.name == QLatin1String("--bind-core"); });
    line.own = {
        numberOption("--worker_num N", {&Spec::msrun, &MsrunOptions::workerNum},
                     tr("ranks of all nodes (8)")),
        numberOption("--local_worker_num N", {&Spec::msrun, &MsrunOptions::localWorkerNum},
                     tr("ranks of this node (8)")),
        textOption("--master_addr HOST", {&Spec::msrun, &MsrunOptions::masterAddr},
                   tr("where the scheduler runs: a name or an IPv4 address (127.0.0.1)")),
        numberOption("--master_port N", {&Spec::msrun, &MsrunOptions::masterPort},
                     tr("the scheduler's port, 1024 to 65535 (8118)")),
        numberOption("--node_rank N", {&Spec::msrun, &MsrunOptions::nodeRank},
                     tr("this node's place among the nodes, from 0 (-1: not given)")),
        textOption("--log_dir DIR", &Spec::logDir,
                   tr("where logs go, those that are there are overwritten (the current directory)")),
        {QStringLiteral("--join"), QStringLiteral("True|False"),
         tr("wait for the run's end, print its lines (False)"), readJoin,
         [](const Spec &spec) {
             return QStringList{spec.msrun.join ? QStringLiteral("True") : QStringLiteral("False")};
         }},
        numberOption("--cluster_time_out N", {&Spec::msrun, &MsrunOptions::clusterTimeOut},
                     tr("seconds the cluster has to form, negative: without end (600)")),
        bindCoreOption(QStringLiteral("--bind_core")),
        numberOption("--sim_level N", {&Spec::msrun, &MsrunOptions::simLevel},
                     tr("dry run, 0 to 3 (-1: none)")),
        numberOption("--sim_rank_id N", {&Spec::msrun, &MsrunOptions::simRankId},
                     tr("the one rank of a dry run (-1: all)")),
        textOption("--rank_table_file FILE", &Spec::rankTableFile, tr("RANK_TABLE_FILE of every process")),
        textOption("--worker_log_name NAME", {&Spec::msrun, &MsrunOptions::workerLogName},
                   tr("logs are NAME_<rank>.log; may hold {ip} and {hostname} (worker)")),
        textOption("--tail_worker_log RANKS", {&Spec::msrun, &MsrunOptions::tailWorkerLog},
                   tr("whose lines --join=True prints, with commas (-1: all)")),
    };
    return line;
}

QMap<QString, QString> torchrunsNames(const LaunchOptions &options)
{
    QMap<QString, QString> names{{QStringLiteral("--nproc-per-node"), QStringLiteral("--nproc")},
                                 {QStringLiteral("--nproc_per_node"), QStringLiteral("--nproc")},
                                 {QStringLiteral("-r"), QStringLiteral("--redirects")},
                                 {QStringLiteral("-t"), QStringLiteral("--tee")}};
    for (const LaunchOption &option : options) {
        QString underscores = option.name.mid(2);
        names.insert(QStringLiteral("--") + underscores.replace(QLatin1Char('-'), QLatin1Char('_')),
                     option.name);
    }
    return names;
}

LaunchCommandLine processesCommandLine()
{
    using Spec = LaunchSpec;
    LaunchCommandLine line;
    line.defaults = processesDefaults();
    line.commandName = tr("the command");
    line.common = commonOptions(line.defaults);
    line.own = {
        numberOption("--nproc N", {&Spec::processes, &ProcessesOptions::nproc}, tr("ranks of this node (1)")),
        numberOption("--nnodes N", {&Spec::processes, &ProcessesOptions::nnodes},
                     tr("nodes of the launch (1)")),
        numberOption("--node-rank R", {&Spec::processes, &ProcessesOptions::nodeRank},
                     tr("which of them this one is (0)")),
        textOption("--master-addr ADDR", {&Spec::processes, &ProcessesOptions::masterAddr},
                   tr("host of rank 0, for MASTER_ADDR (127.0.0.1)")),
        numberOption("--master-port PORT", {&Spec::processes, &ProcessesOptions::masterPort},
                     tr("for MASTER_PORT (29500)")),
        textOption("--role NAME", {&Spec::processes, &ProcessesOptions::role}, tr("for ROLE_NAME (default)")),
        streamsOption(QStringLiteral("--redirects"),
                      tr("streams with files of their own: 0-3, NONE, OUT, ERR, ALL, or 0:1,1:2 by rank"),
                      &ProcessesOptions::redirects, &ProcessesOptions::defaultRedirect),
        streamsOption(QStringLiteral("--tee"), tr("the same, and printed with [NAME<local rank>]: in front"),
                      &ProcessesOptions::tee, &ProcessesOptions::defaultTee),
        textOption("--log-dir DIR", &Spec::logDir,
                   tr("an empty directory for <local rank>/stdout.log … (the run directory)")),
        numberOption("--max-restarts N", {&Spec::processes, &ProcessesOptions::maxRestarts},
                     tr("how often all ranks are started anew after a failure (0)")),
    };
    line.synonym = torchrunsNames(line.own);
    return line;
}

QStringList launcherNames()
{
    return {QStringLiteral("davincirun"), QStringLiteral("msrun"), QStringLiteral("processes")};
}

Result<LaunchCommandLine> launcherCommandLine(const QString &name)
{
    if (name == QLatin1String("davincirun"))
        return davincirunCommandLine();
    if (name == QLatin1String("msrun"))
        return msrunCommandLine();
    if (name == QLatin1String("processes"))
        return processesCommandLine();
    return Error{tr("there is no launcher \"%1\"").arg(name), QStringLiteral("launcher"),
                 tr("Use davincirun, msrun or processes.")};
}

} // namespace rankdeck
