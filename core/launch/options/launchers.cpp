#include "launch/options/launchers.h"

#include "base/json.h"
#include "launch/options/commonoptiontable.h"
#include "launch/planning/planners.h"

#include <QFile>

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
        tr("\"%1\" does not name streams").arg(value), name,
        tr("Give 0 to 3, NONE, OUT, ERR or ALL, or one of these by local rank, e.g. 0:1,1:ALL.")};
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

/// Returns the JSON of a .json file that --bind_numa names, so that the launch does not depend on the file.
Result<QString> readBindNumaFile(const QString &path)
{
    constexpr qint64 mostBytes = 1024 * 1024; // A longer file is no list of cpus.
    const QString option = QStringLiteral("--bind_numa");
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("%1 cannot be read: %2").arg(path, problemOf(file)), option,
                     tr("Give a file that you can read.")};
    const auto json = parseJson(file.read(mostBytes));
    if (!json)
        return Error{tr("%1 is not a JSON file").arg(path), option, tr("Correct the file.")};
    return QString::fromUtf8(jsonText(*json));
}

/// --bind_numa of MindSpore 2.9.
LaunchOption bindNumaOption()
{
    return {QStringLiteral("--bind_numa"), QStringLiteral("VALUE"),
            tr("bind memory and cpus of ranks to NUMA nodes: True for equal shares, JSON such as "
               "{\"device0\":[\"0\"]}, or a .json file (False)"),
            [](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                spec.msrun.bindNuma = text;
                if (text.endsWith(QLatin1String(".json"))) {
                    const auto read = readBindNumaFile(text);
                    if (!read)
                        return read.error();
                    spec.msrun.bindNuma = *read;
                }
                for (const QString &word : {QStringLiteral("True"), QStringLiteral("False")}) {
                    if (text.compare(word, Qt::CaseInsensitive) == 0)
                        spec.msrun.bindNuma = word;
                }
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                return QStringList{spec.msrun.bindNuma};
            }};
}

/// A number, or a word for what is counted.
LaunchOption nprocOption()
{
    return {QStringLiteral("--nproc"), QStringLiteral("N"),
            tr("ranks of this node (1); auto, cpu, gpu and npu count NPUs or cpus"),
            [](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                ProcessesOptions &own = spec.processes;
                for (const char *word : {"auto", "cpu", "gpu", "npu"}) {
                    if (text == QLatin1String(word)) {
                        own.nprocOf = text;
                        return std::nullopt;
                    }
                }
                const auto number = readWholeNumber(text, QStringLiteral("--nproc"));
                if (!number)
                    return Error{tr("\"%1\" is neither a number nor a kind of device").arg(text),
                                 QStringLiteral("--nproc"), tr("Give a number, auto, cpu, gpu or npu.")};
                own.nproc = *number;
                own.nprocOf.clear();
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                const ProcessesOptions &own = spec.processes;
                return QStringList{own.nprocOf.isEmpty() ? QString::number(own.nproc) : own.nprocOf};
            }};
}

/// torch's own form: numbers with commas.
LaunchOption localRanksFilterOption()
{
    const QString name = QStringLiteral("--local-ranks-filter");
    return {name, QStringLiteral("RANKS"), tr("local ranks to print, comma-separated (all)"),
            [name](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                spec.processes.localRanksFilter.clear();
                for (const QString &word : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
                    const auto rank = readWholeNumber(word, name);
                    if (!rank)
                        return rank.error();
                    spec.processes.localRanksFilter << *rank;
                }
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                QStringList ranks;
                for (const int rank : spec.processes.localRanksFilter)
                    ranks << QString::number(rank);
                return ranks.isEmpty() ? QStringList() : QStringList{ranks.join(QLatin1Char(','))};
            }};
}

/// Read as torchrun does, and not kept: a program is started in the same way with each.
LaunchOption startMethodOption()
{
    const QString name = QStringLiteral("--start-method");
    return {name, QStringLiteral("METHOD"), tr("spawn, fork or forkserver; no effect for programs"),
            [name](LaunchSpec &, const QString &text) -> std::optional<Error> {
                for (const char *method : {"spawn", "fork", "forkserver"}) {
                    if (text == QLatin1String(method))
                        return std::nullopt;
                }
                return Error{tr("\"%1\" is not a start method").arg(text), name,
                             tr("Give spawn, fork or forkserver.")};
            },
            [](const LaunchSpec &) {
                return QStringList();
            }};
}

/// Has --help list these options with those of logs.
void groupWithLogs(LaunchOptions &options, const QStringList &names)
{
    for (LaunchOption &option : options) {
        if (names.contains(option.name))
            option.group = LaunchOption::Group::Logs;
    }
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
        textOption("--server ID", &Spec::server,
                   tr("server_id or pod_name of this host (found by variables, addresses, name)")),
        textOption("--converted-rank-table PATH", &Spec::convertedRankTable,
                   tr("path for a v0.1 table converted to v1.0")),
        numberOption("--wait SECONDS", &Spec::rankTableWaitSeconds,
                     tr("wait this long for a missing or unfinished rank table (1800)")),
        textOption("--log-dir DIR", &Spec::logDir, tr("log directory (./log); \"\" for the run directory")),
        switchOption("--no-random-cache-dir", &Spec::randomCacheDir, false,
                     tr("keep MS_COMPILER_CACHE_PATH unchanged")),
        switchOption("--no-destroy", &Spec::destroyWhenFinished, false,
                     tr("keep the other ranks running when one fails")),
    };
    groupWithLogs(line.own, {QStringLiteral("--log-dir")});
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
                   tr("host of the scheduler: a name or an IPv4 address (127.0.0.1)")),
        numberOption("--master_port N", {&Spec::msrun, &MsrunOptions::masterPort},
                     tr("the scheduler's port, 1024 to 65535 (8118)")),
        numberOption("--node_rank N", {&Spec::msrun, &MsrunOptions::nodeRank},
                     tr("rank of this node, from 0 (-1: not given)")),
        textOption("--log_dir DIR", &Spec::logDir,
                   tr("log directory, overwrites earlier logs (the current directory)")),
        {QStringLiteral("--join"), QStringLiteral("True|False"),
         tr("wait for the run's end and print its lines (False)"), readJoin,
         [](const Spec &spec) {
             return QStringList{spec.msrun.join ? QStringLiteral("True") : QStringLiteral("False")};
         }},
        numberOption("--cluster_time_out N", {&Spec::msrun, &MsrunOptions::clusterTimeOut},
                     tr("seconds for the cluster to form, negative: no limit (600)")),
        bindCoreOption(QStringLiteral("--bind_core")),
        bindNumaOption(),
        numberOption("--sim_level N", {&Spec::msrun, &MsrunOptions::simLevel},
                     tr("level of a dry run of one process, 0 to 3 (-1: none)")),
        numberOption("--sim_rank_id N", {&Spec::msrun, &MsrunOptions::simRankId},
                     tr("rank of a dry run, or -1 for all (0)")),
        textOption("--rank_table_file FILE", &Spec::rankTableFile,
                   tr("set RANK_TABLE_FILE of every process")),
        textOption("--worker_log_name NAME", {&Spec::msrun, &MsrunOptions::workerLogName},
                   tr("name logs NAME_<rank>.log; may contain {ip} and {hostname} (worker)")),
        textOption("--tail_worker_log RANKS", {&Spec::msrun, &MsrunOptions::tailWorkerLog},
                   tr("ranks that --join=True prints, comma-separated (-1: all)")),
    };
    groupWithLogs(line.own, {QStringLiteral("--log_dir"), QStringLiteral("--worker_log_name"),
                             QStringLiteral("--tail_worker_log")});
    return line;
}

LaunchCommandLine processesCommandLine()
{
    using Spec = LaunchSpec;
    LaunchCommandLine line;
    line.defaults = processesDefaults();
    line.commandName = tr("the command");
    line.common = commonOptions(line.defaults);
    line.own = {
        nprocOption(),
        numberOption("--nnodes N", {&Spec::processes, &ProcessesOptions::nnodes},
                     tr("nodes of the launch (1)")),
        numberOption("--node-rank R", {&Spec::processes, &ProcessesOptions::nodeRank},
                     tr("rank of this node (0)")),
        textOption("--master-addr ADDR", {&Spec::processes, &ProcessesOptions::masterAddr},
                   tr("host of rank 0, for MASTER_ADDR (127.0.0.1)")),
        numberOption("--master-port PORT", {&Spec::processes, &ProcessesOptions::masterPort},
                     tr("port of rank 0, for MASTER_PORT (29500)")),
        textOption("--role NAME", {&Spec::processes, &ProcessesOptions::role},
                   tr("role of the ranks, for ROLE_NAME (default)")),
        streamsOption(QStringLiteral("--redirects"),
                      tr("write streams to files: 0-3, NONE, OUT, ERR, ALL, or 0:1,1:2 by rank"),
                      &ProcessesOptions::redirects, &ProcessesOptions::defaultRedirect),
        streamsOption(QStringLiteral("--tee"), tr("the same, and also print them after [NAME<local rank>]:"),
                      &ProcessesOptions::tee, &ProcessesOptions::defaultTee),
        textOption("--log-dir DIR", &Spec::logDir,
                   tr("empty directory for <local rank>/stdout.log … (the run directory)")),
        numberOption("--max-restarts N", {&Spec::processes, &ProcessesOptions::maxRestarts},
                     tr("how often all ranks are started again after a failure (0)")),
        switchOption("--standalone", {&Spec::processes, &ProcessesOptions::standalone}, true,
                     tr("use one node, and a free port as MASTER_PORT")),
        localRanksFilterOption(),
        textOption("--log-line-prefix-template TEXT",
                   {&Spec::processes, &ProcessesOptions::linePrefixTemplate},
                   tr("print this before each line: ${role_name}, ${local_rank}, ${rank}")),
        switchOption("--virtual-local-rank", {&Spec::processes, &ProcessesOptions::virtualLocalRank}, true,
                     tr("set LOCAL_RANK to 0 in every rank, which sees only its own NPU")),
        textOption("--numa-binding MODE", {&Spec::processes, &ProcessesOptions::numaBinding},
                   tr("bind each rank to cpus of a node, socket or core-complex, or exclusive")),
        textOption("--signals-to-handle SIGNALS", {&Spec::processes, &ProcessesOptions::signalsToHandle},
                   tr("signals that end the launch (SIGTERM,SIGINT,SIGHUP,SIGQUIT)")),
        startMethodOption(),
        textOption("--function NAME", {&Spec::processes, &ProcessesOptions::function},
                   tr("call MODULE:FUNCTION or FILE.py:FUNCTION in each rank; COMMAND is the Python")),
    };
    groupWithLogs(line.own,
                  {QStringLiteral("--redirects"), QStringLiteral("--tee"), QStringLiteral("--log-dir"),
                   QStringLiteral("--local-ranks-filter"), QStringLiteral("--log-line-prefix-template")});
    line.synonym = {{QStringLiteral("--nproc-per-node"), QStringLiteral("--nproc")},
                    {QStringLiteral("-r"), QStringLiteral("--redirects")},
                    {QStringLiteral("-t"), QStringLiteral("--tee")}};
    return line;
}

LaunchCommandLine wrapCommandLine()
{
    LaunchCommandLine line;
    line.defaults = wrapDefaults();
    line.commandName = tr("the command");
    line.common = commonOptions(line.defaults);
    line.own = {textOption("--log-dir DIR", &LaunchSpec::logDir,
                           tr("directory for console.log (the run directory)"))};
    groupWithLogs(line.own, {QStringLiteral("--log-dir")});
    return line;
}

QStringList launcherNames()
{
    return {QStringLiteral("davincirun"), QStringLiteral("msrun"), QStringLiteral("processes"),
            QStringLiteral("wrap")};
}

Result<LaunchCommandLine> launcherCommandLine(const QString &name)
{
    if (name == QLatin1String("davincirun"))
        return davincirunCommandLine();
    if (name == QLatin1String("msrun"))
        return msrunCommandLine();
    if (name == QLatin1String("processes"))
        return processesCommandLine();
    if (name == QLatin1String("wrap"))
        return wrapCommandLine();
    return Error{tr("unknown launcher \"%1\"").arg(name), QStringLiteral("launcher"),
                 tr("Use davincirun, msrun, processes or wrap.")};
}

} // namespace rankdeck
