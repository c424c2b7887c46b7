#pragma once

#include "base/ranks.h"
#include "base/sentence.h"
#include "launch/spec/streams.h"

#include <QMap>
#include <QProcessEnvironment>

#include <vector>

namespace rankdeck
{

class JsonText;

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
/// The opposite; Worker for any other word.
Role roleFrom(const QString &word);
/// "rank 3", "scheduler" or "console": names a process for the user.
Sentence processName(Role role, Rank rank);

/// "rank 3", "the scheduler" or "the command": names a process inside a sentence.
Sentence processInSentence(Role role, Rank rank);

struct ProcessPlan;
/// The same, but "device 3" or "the process of device 3" for a worker whose rank nobody knows yet.
Sentence processName(const ProcessPlan &process);
Sentence processInSentence(const ProcessPlan &process);
/// Inserts "rank", null for what is no worker and for a rank that nobody knows yet, and "started_as", if the
/// process was started with another number.
void insertRank(JsonText &json, const ProcessPlan &process);

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
    int startedAs = -1;     ///< The number that it was started with, if the framework made another its rank.
    /// Standard input, output and error are a terminal of its own; its output is copied to logFile. If false,
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
    /// The framework numbers the ranks, and has not told the one of this process: `rank` is a number that no
    /// other process here has.
    bool isRankOpen = false;

    /// "proc-rank-3-device-3", the name davincirun prints; "proc-rank-3" without a device, "proc-device-3"
    /// while nobody knows the rank; "scheduler" for the scheduler; "hook" for a hook; of a tool the name of
    /// its log: "gdb-rank-3-1".
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

/// Returns the pid in the name of a plog, 0 for another name. Source: CANN log reference,
/// plog-<pid>_<time>.log.
qint64 plogPid(const QString &path);

/// Returns the variables that all of `processes`, at least one, are given with the same value.
QMap<QString, QString> commonVariables(const std::vector<ProcessPlan> &processes);

// Variables that a plan gives to processes, and that are read back elsewhere.

/// The variable with the path for the error file of torch's @record.
inline constexpr char errorFileVariable[] = "TORCHELASTIC_ERROR_FILE";

/// The variable with the path for the function's return value; see pythonfunction.h.
inline constexpr char returnFileVariable[] = "RANKDECK_RETURN_FILE";

/// The variable with the number of restarts of the rank's group; torch elastic's name.
inline constexpr char restartCountVariable[] = "TORCHELASTIC_RESTART_COUNT";

/// Variable of a wrapped command: the run.json of its run. It identifies the command's processes if they are
/// not below it.
inline constexpr char runFileVariable[] = "RANKDECK_RUN_FILE";

/// Set to "before" or "after" in every hook, and so in all processes that a hook leaves running.
inline constexpr char hookVariable[] = "RANKDECK_HOOK";

} // namespace rankdeck
