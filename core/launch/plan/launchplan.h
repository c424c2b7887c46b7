#pragma once

#include "launch/plan/processplan.h"
#include "launch/plan/waitingtimeout.h"
#include "ranktable/table/ranktable.h"

#include <nlohmann/json_fwd.hpp>

namespace rankdeck
{

class Fields;

/// A request to Slurm for a launch outside its allocations.
struct AllocationRequest {
    int nodes = 1;
    QStringList names; ///< These nodes; empty: any.
    bool operator==(const AllocationRequest &) const = default;
};

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
    QString host; ///< Host name for ssh or srun.
    bool operator==(const PlannedNode &) const = default;
};

/// A launcher or a rank that was started outside Rankdeck, and that a run only watches.
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
    /// The request to Slurm before the launch; without names in it, `nodes` are placeholders until it is
    /// granted.
    std::optional<AllocationRequest> allocation;
    /// The process that the run watches without having started it: the first of `processes`. Nothing is
    /// started, and nothing is signalled unless the user asks for it.
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
    /// empty for all other launches. See hasInventedNpus().
    QString inventedNpuSmi;
    bool overwriteLogs = false; ///< Logs of an earlier run are emptied; else this run's logs get other names.
    QList<Sentence> notes;      ///< Hints for the user, one sentence each; written to the journal.

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

/// A plan in the form for files and for Rankdeck's programs, much shorter for many processes: "common" has
/// their shared parts, "processes" only the rest.
struct CompactPlan {
    LaunchPlan plan;
};

// Either reads both forms. See base/fields.h.
void visitFields(Fields &fields, LaunchPlan &plan);
void visitFields(Fields &fields, CompactPlan &compact);
/// Carries a plan in the compact form, at "plan".
void visitCompactPlan(Fields &fields, LaunchPlan &plan);
/// Reads either form. Fails if a key is missing or of the wrong type; the error names it.
Result<LaunchPlan> launchPlanFromJson(const nlohmann::json &json);

/// Returns one process in the form that the journal and agents have for a rank or a tool that joins a run.
QString processText(const ProcessPlan &process);
/// Returns nothing for another text.
std::optional<ProcessPlan> processFromText(const QString &text);

inline constexpr int writtenFileCount = 4;

/// Returns the writtenFileCount files that a process writes for others to read: its log, its separate
/// standard error, its error file, and its function's return value; empty names for those that it does not
/// have.
QStringList writtenFiles(const ProcessPlan &process);
/// Sets the same files; a process without an error file or a return value gets none.
void setWrittenFiles(ProcessPlan &process, const QStringList &files);

inline constexpr int hookLogCount = 2;

/// Returns the hookLogCount logs of the hooks that `node` runs before and after its processes; an empty name
/// if it runs none.
QStringList hookLogs(const LaunchPlan &plan, const QString &node);

} // namespace rankdeck
