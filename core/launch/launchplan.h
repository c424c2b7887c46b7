#pragma once

#include "launch/allocationrequest.h"
#include "launch/processesoptions.h"
#include "launch/waitingtimeout.h"
#include "ranktable/ranktable.h"
#include "result.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <vector>

namespace rankdeck
{

/// Stands at the head of a path that lies in the run directory, whose name is not known while planning.
inline constexpr char runDirectoryPlaceholder[] = "{run}";

enum class Role {
    Worker,
    Scheduler,
    Hook, ///< Runs before or after the others; its rank and device mean nothing.
    Tool, ///< Looks into the worker of its rank; in no plan of a launch, see AttachedTool.
};

/// "worker", "scheduler", "hook" or "tool".
QString roleWord(Role role);

/// One process of a launch, fully spelled out.
struct ProcessPlan {
    static constexpr DeviceId noDevice{-1};

    Role role = Role::Worker;
    Rank rank;
    LocalRank localRank;
    QString node; ///< server_id of the node it runs on; of a hook empty: on every node.
    /// As named in the log's file name: logical, or physical on drivers of 20.1.0. noDevice: the launcher
    /// gives it none.
    DeviceId device;
    QStringList argv;                    ///< argv[0] is the program, looked up in PATH when it has no '/'.
    int wrapperWords = 0;                ///< So many of argv are those of a wrapper; see wrappers.h.
    QMap<QString, QString> setVariables; ///< On top of the environment the launch was started in.
    QStringList removeVariables;
    QString workDir;        ///< Absolute.
    QString logFile;        ///< Absolute, or under runDirectoryPlaceholder; stdout and stderr both.
    QString stderrFile;     ///< The same for stderr alone; empty: it goes to logFile.
    QList<int> cpus;        ///< The cpus it may run on; empty: as inherited.
    int nice = 0;           ///< Added to the agent's own: -20 .. 19.
    int memoryLimitMiB = 0; ///< RLIMIT_AS; 0: as inherited.
    int openFiles = 0;      ///< RLIMIT_NOFILE, soft and hard; 0: as inherited.
    int umask = -1;         ///< 0 .. 0777; -1: as inherited.
    /// Standard input, output and error are a terminal of its own; what it prints is copied to logFile. Else
    /// standard input is empty.
    bool hasTerminal = false;
    QStringList makeDirectories;    ///< Made on the node before the process starts.
    Streams console = Streams::All; ///< What of it rankdeckctl prints while it waits.
    QString consolePrefix;          ///< Stands before each printed line; empty: label and pid.
    /// The files on `node` that writtenFiles() are copies of, in the run directory; empty: they are none.
    QStringList copiedFrom;
    bool mayFail = false; ///< Of a hook before the launch: the launch goes on when it fails.

    /// "proc-rank-3-device-3", the name davincirun prints; "proc-rank-3" without a device; "scheduler" for
    /// the scheduler; "hook" for a hook; of a tool the name of its log: "gdb-rank-3-1".
    QString label() const;
    /// argv without the wrapper.
    QStringList ownCommand() const { return argv.mid(wrapperWords); }
    bool operator==(const ProcessPlan &) const = default;
};

/// What `process` finds in the variable `name` when it starts.
/// @param environment what its own variables change.
QString effectiveValue(const ProcessPlan &process, const QProcessEnvironment &environment,
                       const QString &name);

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

/// Every process of a launch. A value: making one reads no file, writes none and starts nothing.
struct LaunchPlan {
    QString launcher;
    QString name; ///< Short name for the run.
    QString jobId;
    QString thisNode; ///< server_id of the node the plan was made on.
    /// How its nodes are reached: a transport's word, and each node by its node rank. Empty: all processes
    /// are this node's.
    QString transport;
    std::vector<PlannedNode> nodes;
    /// What Slurm is to be asked for first; then nodes whose names it does not say are stood for.
    std::optional<AllocationRequest> allocation;
    QString rankTableFile; ///< The v1.0 file every process reads.
    RankTable rankTable;   ///< Servers, devices and ranks; also those that this plan starts nothing on.
    int totalRanks = 0;    ///< Ranks of all nodes when rankTable does not name them all; else 0.
    std::vector<ProcessPlan> processes;
    /// What each node runs, one after the other, before its first process is started and after its last has
    /// ended. Their logs are one file for each list and node. Of what a hook before leaves running, see
    /// NodeRun.
    std::vector<ProcessPlan> before;
    std::vector<ProcessPlan> after;
    std::vector<PlannedFile> files;
    std::optional<ScratchDirectory> scratch;
    QString emptyDirectory; ///< Must be empty or not there when the launch starts; empty: none must be.
    bool destroyWhenFinished = true;
    bool raiseOnFailure = true;
    int graceSeconds = 15;
    /// How often all processes are started anew after a failure; then paths may hold attemptPlaceholder.
    int maxRestarts = 0;
    QString promptPattern; ///< What the ranks' own prompts look like; see promptpattern.h.
    /// Of a launch with terminals: what may end ranks that wait for one that is debugged, shortest first.
    std::vector<WaitingTimeout> timeouts;
    int neededHbmMb = 0;        ///< See CommonOptions.
    bool overwriteLogs = false; ///< Logs of an earlier run are emptied; else this run's take other names.
    QStringList notes;          ///< What the user may want to know, one sentence each; goes to the journal.

    /// Ranks of all nodes; from rankTable unless the launcher says.
    int worldSize() const { return totalRanks > 0 ? totalRanks : rankTable.deviceCount(); }
    bool operator==(const LaunchPlan &) const = default;
};

/// Where the processes run, for people: "alpha", or "2 nodes over ssh (alpha, beta)".
QString placeOf(const LaunchPlan &plan);

/// `plan` with every path under runDirectoryPlaceholder put under `runDirectory`.
LaunchPlan withRunDirectory(LaunchPlan plan, const QString &runDirectory);

nlohmann::json toJson(const LaunchPlan &plan);
/// The same for files and other programs of ours, many times shorter where there are many processes: what
/// they have in common is said once, in "common", and "processes" say the rest.
nlohmann::json toCompactJson(const LaunchPlan &plan);
/// From either form. Error: a missing key or one of the wrong type, by JSON pointer.
Result<LaunchPlan> launchPlanFromJson(const nlohmann::json &json);

} // namespace rankdeck
