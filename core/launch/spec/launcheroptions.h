#pragma once

#include "launch/spec/streams.h"

#include <QMap>

namespace rankdeck
{

/// The options that every launcher has beside its own.
struct CommonOptions {
    /// --conda-env: an environment's name or its directory. Empty: DEFAULT_CONDA_ENV_NAME where ANACONDA_DIR
    /// is set too, else none.
    QString condaEnv;
    QStringList envFiles;       ///< --env-file: NAME=VALUE a line; of two files the later wins.
    QStringList unsetVariables; ///< --unset-env: removed from the environment of the launch.
    /// --rank-env RANK:NAME=VALUE, by rank: wins over LaunchSpec::environment, which wins over envFiles.
    QMap<int, QMap<QString, QString>> rankEnvironment;

    /// --bind-core (msrun: --bind_core): False, True for equal shares, or a JSON object by local rank such as
    /// {"device0":["0-10"]}.
    QString bindCore = u"False"_s;
    int nice = 0;           ///< --nice, added to what the launch has: -20 .. 19.
    int memoryLimitMiB = 0; ///< --memory-limit: address space of a process (RLIMIT_AS); 0: as inherited.
    int openFiles = 0;      ///< --open-files: file descriptors of a process (RLIMIT_NOFILE); 0: as inherited.
    int umask = -1;         ///< --umask: 0 .. 0777; -1: as inherited.

    /// --tty: the ranks that get a terminal of their own, to be typed into: all, none, or such as 0-3,7.
    QString terminals = u"none"_s;
    /// --prompt-pattern: matches prompts that Rankdeck does not know; see promptPatternError().
    QString promptPattern;

    /// --wrap: programs that start ranks in place of their command, such as "0,3:gdb"; see readWrapper().
    QStringList wrappers;

    /// --progress-pattern: finds steps and losses in log lines, in place of the built-in patterns; see
    /// progressPatternError(). Empty: none.
    QString progressPattern;

    /// --stall-after: silence after which a rank counts as stalled, unless it is often silent for longer; 0:
    /// never. Seconds, 0 .. 604800.
    int stallAfterSeconds = 120;
    /// --needs-hbm: HBM (or DDR, for NPUs without HBM) that must be free on a rank's NPU before the start; MB
    /// of 1,048,576 bytes, 0 (no check) .. 1048576.
    int neededHbmMb = 0;
    /// --sample-every: interval at which NPUs and process trees are sampled for the whole run; 0: only while
    /// a client asks. Seconds, 0 .. 3600.
    int sampleEverySeconds = 0;
    /// --dump-signal: the program writes its stacks when it gets this signal, as faulthandler.register()
    /// makes Python do: USR1, USR2 … (see dumpSignalNumber()). Empty: it does not.
    QString dumpSignal;
    /// --flight-recorder: switches the flight recorders of torch and torch_npu on: auto (where the program's
    /// Python has one of them), on or off; see setUpRecorders().
    QString flightRecorder = u"auto"_s;
    /// --ports: auto (a free port in place of a launcher's own default that is taken, and reserved for the
    /// run) or fixed (the defaults as they are).
    QString ports = u"auto"_s;
    /// Take stacks and dumps of flight recorders at a stall and before a failed run is ended; --no-evidence:
    /// neither.
    bool takesEvidence = true;

    /// --before, --after: commands that each node runs one after the other before the first process is
    /// started and after the last has ended. Programs and arguments; never a shell string.
    QList<QStringList> before;
    QList<QStringList> after;

    bool operator==(const CommonOptions &) const = default;
};

/// msrun's own options; names and defaults are its own.
/// Source: MindSpore, mindspore/parallel/cluster/run.py (mid-2025 master).
struct MsrunOptions {
    int workerNum = 8;                   ///< --worker_num: ranks of all nodes, from 1.
    int localWorkerNum = 8;              ///< --local_worker_num: ranks of this node, 1 .. workerNum.
    QString masterAddr = u"127.0.0.1"_s; ///< --master_addr: the scheduler's host, a name or IPv4.
    int masterPort = 8118;               ///< --master_port: 1024 .. 65535.
    int nodeRank = -1;                   ///< --node_rank; -1: not given.
    bool join = false;                   ///< --join: wait for the run's end; else return at once.
    int clusterTimeOut = 600;            ///< --cluster_time_out: seconds; negative: without end.
    int simLevel = -1;                   ///< --sim_level: dry run 0 .. 3; -1: none.
    int simRankId = 0;                   ///< --sim_rank_id: the one rank of a dry run; -1: all.
    /// --bind_numa: False, True for equal shares of the NUMA nodes, or JSON, see readNumaBinding().
    QString bindNuma = u"False"_s;
    QString workerLogName;           ///< --worker_log_name: may hold {ip} and {hostname}.
    QString tailWorkerLog = u"-1"_s; ///< --tail_worker_log: ranks with commas; "-1": all.

    bool operator==(const MsrunOptions &) const = default;
};

/// The nodes of a launch, and the way to reach them.
struct NodeOptions {
    /// --nodes: "a,b,c", host names, addresses or names of ssh's configuration; with Slurm its own short
    /// forms too. The order is that of the node ranks.
    QString list;
    /// --transport: auto, local, ssh, slurm, or a form of StreamCommand, such as "docker:NAME".
    QString transport = u"auto"_s;
    /// --transport-command: a program that starts the words after its own on a node, "enroot exec {node}".
    QString transportCommand;
    QString sshConfig;       ///< --ssh-config, ssh's -F; empty: the user's own.
    QString program;         ///< --node-program, rankdeckctl there; empty: in their PATH, else a copy.
    bool mirror = true;      ///< Copy logs here while they grow; --no-mirror: only the logs that are viewed.
    int silenceSeconds = 30; ///< --node-timeout: silence after which a node is lost, 5 .. 3600.
    /// --slurm-options: words for salloc if the launch makes its own allocation, such as "-p npu -t 60".
    QString slurmOptions;
    int slurmWaitSeconds = 3600; ///< --slurm-wait: time limit for the allocation, 1 .. 2592000.

    /// Returns true if the launch names its nodes; else the launcher's own rule decides what this node
    /// starts.
    bool isForNodes() const
    {
        return !list.isEmpty() || transport != "auto"_L1 || !transportCommand.isEmpty();
    }
    bool operator==(const NodeOptions &) const = default;
};

/// Options of launcher "processes": start_processes of torch elastic, and torchrun's for one group of ranks.
/// Source: torch.distributed.elastic.multiprocessing.start_processes and torch.distributed.run (1.13, 2.9 and
/// master).
struct ProcessesOptions {
    /// By local rank: arguments after LaunchSpec::command, and variables on top of the group's. Where one is
    /// given, its keys must be 0 .. nproc - 1.
    QMap<int, QStringList> args;
    QMap<int, QMap<QString, QString>> envs;
    QMap<int, Streams> redirects; ///< By local rank; those not named: defaultRedirect.
    QMap<int, Streams> tee;       ///< By local rank; those not named: defaultTee. Tee implies redirect.
    Streams defaultRedirect = Streams::All;
    /// Without redirects and tee, all streams go to the files and to the console.
    Streams defaultTee = Streams::All;

    int nproc = 1; ///< --nproc: ranks of this node, from 1; the number of args or envs, if given.
    /// --nproc auto, cpu, gpu or npu: the ranks are counted on the node, as torchrun counts them; empty:
    /// nproc.
    QString nprocOf;
    int nnodes = 1;                      ///< --nnodes, from 1.
    int nodeRank = 0;                    ///< --node-rank, 0 .. nnodes - 1.
    QString masterAddr = u"127.0.0.1"_s; ///< --master-addr.
    int masterPort = 29500;              ///< --master-port: 1 .. 65535.
    QString role = u"default"_s;         ///< --role.
    int maxRestarts = 0;                 ///< --max-restarts of the whole group, from 0.
    /// --standalone: one node, MASTER_PORT is a port that is free at the start.
    bool standalone = false;
    /// --virtual-local-rank: LOCAL_RANK is 0 in every rank, which sees its own NPU alone.
    bool virtualLocalRank = false;
    QString numaBinding; ///< --numa-binding: node, socket, exclusive or core-complex; empty: none.

    /// By local rank: what stands before each line on the console. Those not named: linePrefixTemplate.
    QMap<int, QString> linePrefixes;
    /// --log-line-prefix-template, with ${role_name}, ${local_rank}, ${rank}, ${hostname}; empty:
    /// TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE, else [NAME<local rank>]:.
    QString linePrefixTemplate;
    QList<int> localRanksFilter; ///< --local-ranks-filter: only their lines are printed; empty: all.
    /// --signals-to-handle: names with commas; at these signals the launch ends the ranks. Empty: those of
    /// TORCHELASTIC_SIGNALS_TO_HANDLE, else SIGTERM,SIGINT,SIGHUP,SIGQUIT.
    QString signalsToHandle;

    /// "module:function" or "file.py:function", which each rank calls; LaunchSpec::command is then the Python
    /// that does so, and each of args is a JSON text. Empty: the command is a program.
    QString function;

    /// The streams of a local rank that have files of their own; those of tee included.
    Streams redirectOf(int localRank) const
    {
        return with(redirects.value(localRank, defaultRedirect), teeOf(localRank));
    }
    Streams teeOf(int localRank) const { return tee.value(localRank, defaultTee); }
    bool operator==(const ProcessesOptions &) const = default;
};

} // namespace rankdeck
