#pragma once

#include "base/result.h"
#include "launch/spec/launcheroptions.h"
#include "ranktable/table/ranktable.h"

#include <QProcessEnvironment>

#include <nlohmann/json_fwd.hpp>

namespace rankdeck
{

/// What to request from Slurm for a launch outside its allocations.
struct AllocationRequest {
    int nodes = 1;
    QStringList names; ///< These nodes; empty: any.
    bool operator==(const AllocationRequest &) const = default;
};

/// Begins a path in the run directory, whose name is not known while planning.
inline constexpr char runDirectoryPlaceholder[] = "{run}";
/// Returns `path`, which begins with '/', below runDirectoryPlaceholder.
QString inRunDirectory(const QString &path);

enum class Role {
    Worker,
    Scheduler,
    Hook, ///< Runs before or after the others; has no rank or device.
    Tool, ///< Attached to the worker of its rank; never part of a launch's plan, see AttachedTool.
    /// The launcher and all ranks, or a rank that nothing names, in one log: that of a wrapped command, or
    /// one that was opened, see LogDirectory.
    Console,
};

/// "worker", "scheduler", "hook", "tool" or "console".
QString roleWord(Role role);
/// "rank 3", "scheduler" or "console": names a process for the user.
QString processName(Role role, Rank rank);

/// "rank 3", "the scheduler" or "the command": names a process inside a sentence.
QString processInSentence(Role role, Rank rank);

/// One process of a launch, fully spelled out.
struct ProcessPlan {
    static constexpr DeviceId noDevice{-1};

    Role role = Role::Worker;
    Rank rank;
    LocalRank localRank;
    QString node; ///< server_id of the node it runs on; empty for a hook: on every node.
    /// As named in the log's file name: logical, or physical on drivers of 20.1.0. noDevice: the launcher
    /// gives it none.
    DeviceId device;
    QStringList argv;     ///< argv[0] is the program, looked up in PATH when it has no '/'.
    int wrapperWords = 0; ///< Number of leading argv words that belong to a wrapper; see wrappers.h.
    QMap<QString, QString> setVariables; ///< On top of the environment the launch was started in.
    QStringList removeVariables;
    QString workDir;        ///< Absolute.
    QString logFile;        ///< Absolute, or under runDirectoryPlaceholder; stdout and stderr both.
    QString stderrFile;     ///< The same for stderr alone; empty: it goes to logFile.
    QList<int> cpus;        ///< The cpus it may run on; empty: as inherited.
    QList<int> memoryNodes; ///< The NUMA nodes that its memory is bound to; empty: as inherited.
    int nice = 0;           ///< Added to the agent's own: -20 .. 19.
    int memoryLimitMiB = 0; ///< RLIMIT_AS; 0: as inherited.
    int openFiles = 0;      ///< RLIMIT_NOFILE, soft and hard; 0: as inherited.
    int umask = -1;         ///< 0 .. 0777; -1: as inherited.
    /// Standard input, output and error are a terminal of its own; what it prints is copied to logFile. Else
    /// standard input is empty.
    bool hasTerminal = false;
    QStringList makeDirectories;    ///< Made on the node before the process starts.
    Streams console = Streams::All; ///< Streams that rankdeckctl prints while it waits.
    QString consolePrefix;          ///< Printed before each line; empty: label and pid.
    /// The files on `node` of which writtenFiles() are copies in the run directory; empty: no copies.
    QStringList copiedFrom;
    bool mayFail = false; ///< For a hook before the launch: the launch goes on if it fails.
    /// The wrapped command started it, not Rankdeck; it joined the plan when it was found. Its end is the
    /// command's to judge, and its exit code may be unknown.
    bool isFound = false;

    /// "proc-rank-3-device-3", the name davincirun prints; "proc-rank-3" without a device; "scheduler" for
    /// the scheduler; "hook" for a hook; of a tool the name of its log: "gdb-rank-3-1".
    QString label() const;
    /// argv without the wrapper.
    QStringList ownCommand() const { return argv.mid(wrapperWords); }
    bool operator==(const ProcessPlan &) const = default;
};

/// Returns the value of the variable `name` that `process` starts with.
/// @param environment the environment that its own variables change.
QString effectiveValue(const ProcessPlan &process, const QProcessEnvironment &environment,
                       const QString &name);

/// Returns the folder in which CANN keeps the files of `process` on the machine of this one, such as atrace/:
/// ASCEND_WORK_PATH, else $HOME/ascend. Source: CANN, environment variable reference.
QString cannDirectory(const ProcessPlan &process, const QProcessEnvironment &environment);

/// Returns the folder that has the plogs of `process`: ASCEND_PROCESS_LOG_PATH, else log/ of its
/// cannDirectory(). Source: as there.
QString plogDirectory(const ProcessPlan &process, const QProcessEnvironment &environment);

/// A timeout after which ranks give up waiting for a rank that is being debugged. Sources: HCCL's and
/// MindSpore's documentation of the variables.
struct WaitingTimeout {
    /// The processes that it applies to.
    enum class Whom {
        Connecting, ///< Ranks that set up their links.
        InCollective,
        Forming, ///< Processes that wait for their cluster to be complete.
        Halted, ///< A process whose threads are all stopped, as in gdb or by SIGSTOP: it sends no heartbeats.
    };

    QString variable; ///< The environment variable to raise: "HCCL_EXEC_TIMEOUT".
    int seconds = 0;
    Whom whom = Whom::InCollective;

    bool operator==(const WaitingTimeout &) const = default;
};

/// Returns the timeouts of a process of `launcher` ("msrun", "processes", "davincirun"), shortest first: from
/// its environment, else the defaults. Leaves out those that are off or not a number.
/// @param environment the environment that the process's own variables change.
std::vector<WaitingTimeout> waitingTimeouts(const ProcessPlan &process, const QString &launcher,
                                            const QProcessEnvironment &environment);

/// "in a collective", "while they connect": when the timeout counts.
QString whenText(WaitingTimeout::Whom whom);
/// "HCCL_EXEC_TIMEOUT (1836 s) in a collective, …": for one sentence.
QString waitingTimeoutsText(const std::vector<WaitingTimeout> &timeouts);

/// "HCCL_EXEC_TIMEOUT=17340", …: the timeouts that can be raised, with values that every device accepts and
/// that suit a long session.
QStringList raisedTimeouts(const std::vector<WaitingTimeout> &timeouts);

/// Returns the variables that all of `processes`, at least one, are given with the same value.
QMap<QString, QString> commonVariables(const std::vector<ProcessPlan> &processes);

/// A file written before anything starts.
struct PlannedFile {
    QString path;
    QByteArray content;
    bool operator==(const PlannedFile &) const = default;
};

/// A fresh directory that each node makes before its processes start and removes at the end.
struct ScratchDirectory {
    QString variable;  ///< Set to the directory's path in every process.
    QStringList roots; ///< Tried in order; the first that can be written holds it.
    bool operator==(const ScratchDirectory &) const = default;
};

/// A node of a launch that spans named nodes.
struct PlannedNode {
    QString node; ///< As in ProcessPlan::node.
    QString host; ///< What ssh or srun is told.
    bool operator==(const PlannedNode &) const = default;
};

/// A launcher or a rank that somebody started outside Rankdeck, and that a run only watches.
struct AdoptedProcess {
    qint64 pid = 0;        ///< On LaunchPlan::thisNode; 0: a job of Slurm.
    quint64 startTime = 0; ///< Clock ticks since boot: another process may get the pid.
    QString job;           ///< The id that Slurm gave it; empty: a process.
    bool operator==(const AdoptedProcess &) const = default;
};

/// Every process of a launch. A value: making one reads no file, writes none and starts nothing.
struct LaunchPlan {
    QString launcher;
    QString name; ///< Short name for the run.
    QString jobId;
    QString thisNode; ///< server_id of the node the plan was made on.
    /// How its nodes are reached: transportName(), and the nodes by node rank. Empty: all processes run on
    /// this node.
    QString transport;
    std::vector<PlannedNode> nodes;
    /// What to request from Slurm first; without names in it, `nodes` are placeholders until then.
    std::optional<AllocationRequest> allocation;
    /// What the run watches without having started it: the first of `processes`. Nothing is started, and
    /// nothing is signalled unless the user asks for it.
    std::optional<AdoptedProcess> adopted;
    QString rankTableFile; ///< The v1.0 file every process reads.
    RankTable rankTable;   ///< Servers, devices and ranks; also those where this plan starts nothing.
    int totalRanks = 0;    ///< Ranks of all nodes when rankTable does not name them all; else 0.
    std::vector<ProcessPlan> processes;
    /// The hooks of each node, run one after the other before its first process starts and after its last has
    /// ended. Each list has one log file a node. NodeRun ends what a hook leaves running.
    std::vector<ProcessPlan> before;
    std::vector<ProcessPlan> after;
    std::vector<PlannedFile> files;
    std::optional<ScratchDirectory> scratch;
    QString emptyDirectory; ///< Must be empty or missing when the launch starts; empty: no such directory.
    bool destroyWhenFinished = true;
    bool raiseOnFailure = true;
    int graceSeconds = 15;
    /// How often all processes are restarted after a failure; if not 0, paths may hold attemptPlaceholder.
    int maxRestarts = 0;
    QString promptPattern; ///< Matches the ranks' own prompts; see promptPatternError().
    /// For a launch with terminals: what may end ranks that wait for a debugged one, shortest first.
    std::vector<WaitingTimeout> timeouts;
    int neededHbmMb = 0; ///< See CommonOptions.
    /// Where the agent writes the stand-in for npu-smi that a demo's run has, under runDirectoryPlaceholder;
    /// empty for all other launches. See demolaunch.h.
    QString inventedNpuSmi;
    bool overwriteLogs = false; ///< Logs of an earlier run are emptied; else this run's logs get other names.
    QStringList notes;          ///< Hints for the user, one sentence each; written to the journal.

    /// Returns the number of ranks of all nodes: totalRanks, else from rankTable.
    int worldSize() const { return totalRanks > 0 ? totalRanks : rankTable.deviceCount(); }
    /// Returns the index in `processes` of the worker with this rank; -1: none.
    int processOfRank(int rank) const;
    bool operator==(const LaunchPlan &) const = default;
};

/// Returns where the processes run, in words: "alpha", or "2 nodes over ssh (alpha, beta)".
QString placeOf(const LaunchPlan &plan);

/// Returns `plan` with `runDirectory` in place of runDirectoryPlaceholder in every path.
LaunchPlan withRunDirectory(LaunchPlan plan, const QString &runDirectory);

nlohmann::json toJson(const LaunchPlan &plan);
/// Returns a form for files and for Rankdeck's programs, much shorter for many processes: "common" has what
/// they share, "processes" only the rest.
nlohmann::json toCompactJson(const LaunchPlan &plan);
/// Reads either form. Fails if a key is missing or of the wrong type.
Result<LaunchPlan> launchPlanFromJson(const nlohmann::json &json);

} // namespace rankdeck
