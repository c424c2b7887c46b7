#include "launch/spec/optionrows.h"

namespace rankdeck
{

constexpr char noneChosen[] = QT_TR_NOOP("none");
constexpr char inRunDirectoryText[] = QT_TR_NOOP("in the run directory");

/// A process is at least a few megabytes: more than this is a slip of the keyboard.
constexpr int mostLocalRanks = 4096;

OptionRows davincirunRows()
{
    using enum OptionTopic;
    static constexpr OptionRow rows[] = {
        row(at<&LaunchSpec::rankTableFile>(), "--rank-table PATH", Launcher,
            QT_TR_NOOP("rank table, or the directory that holds jobstart_hccl.json"),
            QT_TR_NOOP("&Rank table")),
        row(at<&LaunchSpec::server>(), "--server ID", Launcher,
            QT_TR_NOOP("server_id or pod_name of this host (found by variables, addresses, name)"),
            QT_TR_NOOP("Server"),
            QT_TR_NOOP("This host's server in the rank table: its server_id or pod_name."),
            QT_TR_NOOP("found by variables, addresses and name")),
        row(at<&LaunchSpec::convertedRankTable>(), "--converted-rank-table PATH", Launcher,
            QT_TR_NOOP("path for a v0.1 table converted to v1.0"), QT_TR_NOOP("Converted ta&ble"),
            QT_TR_NOOP("File for a v0.1 table converted to v1.0; {run} is the run directory.")),
        row(at<&LaunchSpec::rankTableWaitSeconds>(), "--wait SECONDS", Launcher,
            QT_TR_NOOP("wait this long for a missing or unfinished rank table (1800)"),
            QT_TR_NOOP("Wa&it limit"),
            QT_TR_NOOP("Time to wait for a rank table that is missing or not completed."), from(0, 86400)),
        row(at<&LaunchSpec::logDir>(), "--log-dir DIR", Logs,
            QT_TR_NOOP("log directory (./log); \"\" for the run directory"), QT_TR_NOOP("Lo&g directory"),
            QT_TR_NOOP("Directory for the logs of the ranks"), inRunDirectoryText),
        row(at<&LaunchSpec::randomCacheDir>(), "--no-random-cache-dir", Launcher,
            QT_TR_NOOP("keep MS_COMPILER_CACHE_PATH unchanged"), QT_TR_NOOP("Rando&m compiler cache"),
            QT_TR_NOOP("Uses a fresh MS_COMPILER_CACHE_PATH and removes it at the end.")),
        row(at<&LaunchSpec::destroyWhenFinished>("destroy_when_finished"), "--no-destroy", Launcher,
            QT_TR_NOOP("keep the other ranks running when one fails"),
            QT_TR_NOOP("Stop other ranks on failure"), QT_TR_NOOP("End the other ranks when one fails."))};
    return rows;
}

OptionRows msrunRows()
{
    using enum OptionTopic;
    static constexpr OptionRow rows[] = {
        row(at<&MsrunOptions::workerNum>(), "--worker_num N", Launcher, QT_TR_NOOP("ranks of all nodes (8)"),
            QT_TR_NOOP("Ran&ks"), QT_TR_NOOP("Number of ranks on all nodes."), from(1)),
        row(at<&MsrunOptions::localWorkerNum>(), "--local_worker_num N", Launcher,
            QT_TR_NOOP("ranks of this node (8)"), QT_TR_NOOP("&Ranks on this node"),
            QT_TR_NOOP("Number of ranks on this node."), from(1, mostLocalRanks)),
        row(at<&MsrunOptions::masterAddr>(), "--master_addr HOST", Launcher,
            QT_TR_NOOP("host of the scheduler: a name or an IPv4 address (127.0.0.1)"),
            QT_TR_NOOP("&Master address"),
            QT_TR_NOOP("Name or IPv4 address of the scheduler's host. If that is this machine, the scheduler "
                       "starts here.")),
        row(at<&MsrunOptions::masterPort>(), "--master_port N", Launcher,
            QT_TR_NOOP("the scheduler's port, 1024 to 65535 (8118)"), QT_TR_NOOP("Master port"),
            QT_TR_NOOP("Port of the scheduler, 1024 to 65535."), from(1024, 65535)),
        row(at<&MsrunOptions::nodeRank>(), "--node_rank N", Launcher,
            QT_TR_NOOP("rank of this node, from 0 (-1: not given)"), QT_TR_NOOP("Node rank"),
            QT_TR_NOOP("Rank of this node, from 0."), from(-1), QT_TR_NOOP("not given")),
        row(at<&LaunchSpec::logDir>(), "--log_dir DIR", Logs,
            QT_TR_NOOP("log directory, overwrites earlier logs (the current directory)"),
            QT_TR_NOOP("Lo&g directory"), QT_TR_NOOP("Log directory (replaces earlier logs)"),
            QT_TR_NOOP("the current directory")),
        row(at<&MsrunOptions::join>(), "--join True|False", Launcher,
            QT_TR_NOOP("wait for the run's end and print its lines (False)")),
        row(at<&MsrunOptions::clusterTimeOut>(), "--cluster_time_out N", Launcher,
            QT_TR_NOOP("seconds for the cluster to form, negative: no limit (600)"),
            QT_TR_NOOP("Cluster t&imeout"), QT_TR_NOOP("Time for the cluster to form."),
            QT_TR_NOOP("no limit"))
            .withUnit(QT_TR_NOOP(" s")),
        row(at<&CommonOptions::bindCore>(), "--bind_core True|False|JSON", Launcher,
            QT_TR_NOOP("bind ranks to cpus: {\"device0\":[\"0-10\"],…} (False)"), QT_TR_NOOP("&Bind to CPUs"),
            QT_TR_NOOP("Cpus of each rank: False, True for equal shares, or {\"device0\":[\"0-10\"]} by "
                       "local rank.")),
        row(at<&MsrunOptions::bindNuma>(), "--bind_numa VALUE", Launcher,
            QT_TR_NOOP("bind memory and cpus of ranks to NUMA nodes: True for equal shares, JSON such as "
                       "{\"device0\":[\"0\"]}, or a .json file (False)"),
            QT_TR_NOOP("Bind to NUMA nodes"),
            QT_TR_NOOP(
                "NUMA nodes of ranks: False, True for equal shares, or JSON such as {\"device0\":[\"0\"]}.")),
        row(at<&MsrunOptions::simLevel>(), "--sim_level N", Launcher,
            QT_TR_NOOP("level of a dry run of one process, 0 to 3 (-1: none)"), QT_TR_NOOP("Dry run level"),
            QT_TR_NOOP("Dry run, 0 to 3."), from(-1, 3), noneChosen),
        row(at<&MsrunOptions::simRankId>(), "--sim_rank_id N", Launcher,
            QT_TR_NOOP("rank of a dry run, or -1 for all (0)"), QT_TR_NOOP("Dry run rank"),
            QT_TR_NOOP("The rank that a dry run starts; -1: all."), from(-1), QT_TR_NOOP("all")),
        row(at<&LaunchSpec::rankTableFile>("rank_table"), "--rank_table_file FILE", Launcher,
            QT_TR_NOOP("set RANK_TABLE_FILE of every process"), QT_TR_NOOP("Rank table"),
            QT_TR_NOOP("RANK_TABLE_FILE of every process."), noneChosen),
        row(at<&MsrunOptions::workerLogName>(), "--worker_log_name NAME", Logs,
            QT_TR_NOOP("name logs NAME_<rank>.log; may contain {ip} and {hostname} (worker)"),
            QT_TR_NOOP("Log name"),
            QT_TR_NOOP("First part of each log's name, before _<rank>.log; may contain {ip} and {hostname}."),
            "worker"),
        row(at<&MsrunOptions::tailWorkerLog>(), "--tail_worker_log RANKS", Logs,
            QT_TR_NOOP("ranks that --join=True prints, comma-separated (-1: all)"),
            QT_TR_NOOP("Printed ranks"),
            QT_TR_NOOP("Ranks whose output rankdeckctl prints, separated by commas; -1: all."))};
    return rows;
}

OptionRows processesRows()
{
    using enum OptionTopic;
    static constexpr OptionRow rows[] = {
        row(at<&ProcessesOptions::nproc>(), "--nproc N", Launcher,
            QT_TR_NOOP("ranks of this node (1); auto, cpu, gpu and npu count NPUs or cpus"),
            QT_TR_NOOP("&Ranks on this node"), QT_TR_NOOP("Number of ranks on this node."),
            from(1, mostLocalRanks)),
        row(at<&ProcessesOptions::nnodes>(), "--nnodes N", Launcher, QT_TR_NOOP("nodes of the launch (1)"),
            QT_TR_NOOP("Nodes"), QT_TR_NOOP("Number of nodes."), from(1, 65536)),
        row(at<&ProcessesOptions::nodeRank>(), "--node-rank R", Launcher, QT_TR_NOOP("rank of this node (0)"),
            QT_TR_NOOP("Node ran&k"), QT_TR_NOOP("Rank of this node."), from(0)),
        row(at<&ProcessesOptions::masterAddr>(), "--master-addr ADDR", Launcher,
            QT_TR_NOOP("host of rank 0, for MASTER_ADDR (127.0.0.1)"), QT_TR_NOOP("&Master address"),
            QT_TR_NOOP("MASTER_ADDR, the host of rank 0.")),
        row(at<&ProcessesOptions::masterPort>(), "--master-port PORT", Launcher,
            QT_TR_NOOP("port of rank 0, for MASTER_PORT (29500)"), QT_TR_NOOP("Master port"),
            QT_TR_NOOP("MASTER_PORT, 1 to 65535."), from(1, 65535)),
        row(at<&ProcessesOptions::role>(), "--role NAME", Launcher,
            QT_TR_NOOP("role of the ranks, for ROLE_NAME (default)"), QT_TR_NOOP("Role"),
            QT_TR_NOOP("ROLE_NAME of every rank.")),
        row(at<&ProcessesOptions::redirects>(), "--redirects STREAMS", Logs,
            QT_TR_NOOP("write streams to files: 0-3, NONE, OUT, ERR, ALL, or 0:1,1:2 by rank"),
            QT_TR_NOOP("Streams to f&iles"),
            QT_TR_NOOP("Streams redirected to files: NONE, OUT, ERR, ALL, or by local rank 0:OUT,1:ALL.")),
        row(at<&ProcessesOptions::tee>(), "--tee STREAMS", Logs,
            QT_TR_NOOP("the same, and also print them after [NAME<local rank>]:"),
            QT_TR_NOOP("Files and terminal"),
            QT_TR_NOOP("Streams redirected to files and printed by rankdeckctl: NONE, OUT, ERR, ALL, or by "
                       "local rank 0:OUT,1:ALL.")),
        row(at<&LaunchSpec::logDir>(), "--log-dir DIR", Logs,
            QT_TR_NOOP("empty directory for <local rank>/stdout.log … (the run directory)"),
            QT_TR_NOOP("Lo&g directory"), QT_TR_NOOP("An empty directory for <local rank>/stdout.log"),
            inRunDirectoryText),
        row(at<&ProcessesOptions::maxRestarts>(), "--max-restarts N", Launcher,
            QT_TR_NOOP("how often all ranks are started again after a failure (0)"),
            QT_TR_NOOP("Ma&x. restarts"), QT_TR_NOOP("How often all ranks may be restarted when one fails."),
            from(0, 10000)), // Each attempt has its own folder.
        row(at<&ProcessesOptions::standalone>(), "--standalone", Launcher,
            QT_TR_NOOP("use one node, and a free port as MASTER_PORT"), QT_TR_NOOP("Single node, free port"),
            QT_TR_NOOP("Uses a free port as MASTER_PORT.")),
        row(at<&ProcessesOptions::localRanksFilter>(), "--local-ranks-filter RANKS", Logs,
            QT_TR_NOOP("local ranks to print, comma-separated (all)"), QT_TR_NOOP("Printed ranks"),
            QT_TR_NOOP("Local ranks whose output rankdeckctl prints, separated by commas."),
            QT_TR_NOOP("all")),
        row(at<&ProcessesOptions::linePrefixTemplate>(), "--log-line-prefix-template TEXT", Logs,
            QT_TR_NOOP("print this before each line: ${role_name}, ${local_rank}, ${rank}, ${hostname}"),
            QT_TR_NOOP("Line prefix"),
            QT_TR_NOOP("Start of each printed line; may contain ${role_name}, ${local_rank}, ${rank} and "
                       "${hostname}.")),
        row(at<&ProcessesOptions::virtualLocalRank>(), "--virtual-local-rank", Launcher,
            QT_TR_NOOP("set LOCAL_RANK to 0 in every rank, which sees only its own NPU"),
            QT_TR_NOOP("Only its own NPU"),
            QT_TR_NOOP("Every rank has LOCAL_RANK 0 and sees only its own NPU.")),
        row(at<&ProcessesOptions::numaBinding>(), "--numa-binding MODE", Launcher,
            QT_TR_NOOP("bind each rank to cpus of a node, socket or core-complex, or exclusive"),
            QT_TR_NOOP("Bind to NUMA nodes"),
            QT_TR_NOOP("Binds each rank to the cpus of a node, socket or core-complex, or to cpus of its own "
                       "(exclusive)."),
            noneChosen),
        row(at<&ProcessesOptions::signalsToHandle>(), "--signals-to-handle SIGNALS", Launcher,
            QT_TR_NOOP("signals that end the launch (SIGTERM,SIGINT,SIGHUP,SIGQUIT)")),
        row({}, "--start-method METHOD", Launcher,
            QT_TR_NOOP("spawn, fork or forkserver; no effect for programs")),
        row(at<&ProcessesOptions::function>(), "--function NAME", Launcher,
            QT_TR_NOOP("call MODULE:FUNCTION or FILE.py:FUNCTION in each rank; COMMAND is the Python"),
            QT_TR_NOOP("Function"),
            QT_TR_NOOP(
                "Function that each rank calls instead of a program: module:function or file.py:function.")),
        row(at<&ProcessesOptions::args>("args"), "args", Environment, nullptr,
            QT_TR_NOOP("Arguments by rank"),
            QT_TR_NOOP("Arguments after the command, one line per local rank; all ranks or none."),
            "0: --lead\n1:"),
        row(at<&ProcessesOptions::envs>("envs"), "envs", Environment, nullptr,
            QT_TR_NOOP("Variables by rank"),
            QT_TR_NOOP("Variables of a local rank, one per line; all ranks or none."), "0:SEED=1\n1:SEED=2")};
    return rows;
}

OptionRows wrapRows()
{
    using enum OptionTopic;
    static constexpr OptionRow rows[] = {row(at<&LaunchSpec::logDir>(), "--log-dir DIR", Logs,
                                             QT_TR_NOOP("directory for console.log (the run directory)"),
                                             QT_TR_NOOP("Lo&g directory"),
                                             QT_TR_NOOP("A directory for console.log"), inRunDirectoryText)};
    return rows;
}

static OptionRows rowsWithoutOption()
{
    static constexpr OptionRow rows[] = {row(at<&LaunchSpec::launcher>("launcher")),
                                         row(at<&LaunchSpec::command>("command")),
                                         row(at<&LaunchSpec::isDemo>("demo")),
                                         row(at<&ProcessesOptions::defaultRedirect>("default_redirect")),
                                         row(at<&ProcessesOptions::defaultTee>("default_tee")),
                                         row(at<&ProcessesOptions::nprocOf>("nproc_of")),
                                         row(at<&ProcessesOptions::linePrefixes>("log_line_prefixes"))};
    return rows;
}

std::vector<OptionRows> allRows()
{
    return {commonRows(), davincirunRows(), msrunRows(), processesRows(), wrapRows(), rowsWithoutOption()};
}

} // namespace rankdeck
