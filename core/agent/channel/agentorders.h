#pragma once

#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"
#include "run/record/runrequests.h"

// What a supervisor asks of an agent: one JSON object a line, with the word of its kind at "do". Processes
// are given by their index in the node's share of the plan.

namespace rankdeck
{

/// A folder that the node may share, and the file in it that shows this; see SharedFolderProbe.
struct FolderProbe {
    QString folder;
    QString name;
    bool operator==(const FolderProbe &) const = default;
};

namespace orders
{

/// Says that the head lives. Its line has no "do".
struct Heartbeat {
    static constexpr char word[] = "heartbeat";
    qint64 heard = 0; ///< The number of the last event that has arrived.
};

/// The head has come back over another stream: the events after number `heard` are told again.
struct Rejoin {
    static constexpr char word[] = "rejoin";
    qint64 heard = 0;
};

/// The head comes back no more: end all.
struct Goodbye {
    static constexpr char word[] = "goodbye";
};

/// Describe the node; the agent answers with a NodeDescription.
struct Describe {
    static constexpr char word[] = "describe";
};

/// Gather what planning `spec` for the node depends on; the agent answers with GatheredFacts.
struct Gather {
    static constexpr char word[] = "gather";
    LaunchSpec spec = {};
    QMap<QString, QString> environment = {}; ///< All processes get it from now on.
    int silenceSeconds = 0;                  ///< Give the supervisor up after so much silence.
    QString rejoinId = {};                   ///< By this the head finds the agent again; empty: it does not.
};

/// Do everything but start the processes of `plan`, the node's share below runDirectoryPlaceholder; the agent
/// answers with a PreparedNode.
struct Prepare {
    static constexpr char word[] = "prepare";
    LaunchPlan plan = {};
    QString node = {};
    QString runDirectory = {};      ///< Where the supervisor has it.
    QList<FolderProbe> probes = {}; ///< One for the run directory, one for each other folder for logs.
    QString head = {};              ///< The supervisor's host.
};

struct StartPrepared {
    static constexpr char word[] = "start-prepared";
    bool copiesLogs = false; ///< LogWishes follow, and a last one at the end.
};

/// A node's share of a plan, and the environment of its processes.
struct NodeShare {
    LaunchPlan plan = {};
    QString node = {};
    QMap<QString, QString> environment = {};
};

/// Find who holds what the share is going to use; the agent answers with Holders.
struct FindHolders : NodeShare {
    static constexpr char word[] = "find-holders";
};

/// End the runs of ours among these; the agent answers with Holders.
struct EndHolders : NodeShare {
    static constexpr char word[] = "end-holders";
};

/// Start the processes of `plan` that are planned for `node`.
struct Start {
    static constexpr char word[] = "start";
    LaunchPlan plan = {};
    QString node = {};
};

/// End all: SIGTERM, grace, SIGKILL.
struct TearDown {
    static constexpr char word[] = "tear-down";
};

/// As TearDown, but hooks after the launch get the grace too.
struct Stop {
    static constexpr char word[] = "stop";
};

struct Kill {
    static constexpr char word[] = "kill";
};

/// Send logs of an earlier launch, as LogWishes ask; starts nothing.
struct ReadFiles {
    static constexpr char word[] = "read-files";
    QStringList files = {}; ///< Absolute paths on the node.
};

/// SIGTERM, grace, SIGKILL for these processes; the others go on.
struct StopProcesses {
    static constexpr char word[] = "stop-processes";
    QList<int> processes = {};
};

struct KillProcesses {
    static constexpr char word[] = "kill-processes";
    QList<int> processes = {};
};

/// Start the processes again, those that run after SIGTERM, grace, SIGKILL; the agent answers with a RunEvent
/// ProcessStarted, ProcessNotStarted or StartRefused for each.
struct StartProcesses {
    static constexpr char word[] = "start-processes";
    QList<int> processes = {};
};

/// Dump the stacks of the processes; the agent answers with a RunEvent StacksDumped for each.
struct DumpStacks {
    static constexpr char word[] = "dump-stacks";
    QList<int> processes = {};
    int dumpSignal = 0;    ///< Makes Python write its stacks; 0: nothing does.
    bool isUrgent = false; ///< The ranks are about to be ended, so the quickest tool is used.
};

/// Ask the flight recorders of all ranks for dumps, and wait for `seconds` at most; the agent answers with a
/// RunEvent RecordersDumped, and before it with the dumps themselves if `sendsDumps`.
struct DumpRecorders {
    static constexpr char word[] = "dump-recorders";
    bool sendsDumps = false; ///< The head does not see the node's run directory.
    int seconds = 0;
};

/// Start a tool. Later orders and events have it by its index.
struct AttachTool {
    static constexpr char word[] = "attach-tool";
    int index = 0;   ///< Behind those of the run's plan.
    int process = 0; ///< Whom it looks at.
    ProcessPlan tool = {};
};

/// The rank that was told of by RankFound has joined the run's plan. Later orders and events have it by its
/// index.
struct NameRank {
    static constexpr char word[] = "name-rank";
    int index = 0; ///< In the run's plan.
    int pid = 0;
    ProcessPlan found = {};
};

/// Look at the node before a launch; the agent answers with NodeAnswers.
struct CheckNode {
    static constexpr char word[] = "check-node";
    LaunchPlan plan = {}; ///< The node's share.
    QMap<QString, QString> environment = {};
    QStringList imports = {};         ///< Python modules.
    QString language = {};            ///< As installedLanguage() has it, for the words of the checks.
    QMap<int, QString> tableIps = {}; ///< See NodeCheckTask.
    int seconds = 0;                  ///< The limit.
};

/// Start the self-test's process for each of these ranks; the agent answers with RankLines.
struct StartSelfTest {
    static constexpr char word[] = "start-self-test";
    QList<int> ranks = {};
    int worldSize = 0;
    QStringList arguments = {};
};

/// Pass a line to the self-test's process of a rank.
struct TellRank {
    static constexpr char word[] = "tell-rank";
    int rank = 0;
    QByteArray line = {};
};

/// Sample the node from now on; the agent answers with NodeSamples.
struct Sample {
    static constexpr char word[] = "sample";
    QList<int> processes = {}; ///< The one that is looked at closely, if any.
    int intervalMs = 0;        ///< 0: no more.
};

} // namespace orders

/// An order of a supervisor. The agent answers a SignalRequest with a RunEvent for each process.
using AgentOrder =
    std::variant<orders::Heartbeat, orders::Rejoin, orders::Goodbye, orders::Describe, orders::Gather,
                 orders::Prepare, orders::StartPrepared, orders::FindHolders, orders::EndHolders,
                 orders::Start, orders::TearDown, orders::Stop, orders::Kill, orders::ReadFiles,
                 orders::StopProcesses, orders::KillProcesses, orders::StartProcesses, orders::DumpStacks,
                 orders::DumpRecorders, orders::AttachTool, orders::NameRank, orders::CheckNode,
                 orders::StartSelfTest, orders::TellRank, orders::Sample, SignalRequest, TerminalInput>;

void visitFields(Fields &fields, AgentOrder &order);

/// Returns the line for an order, without a newline.
QByteArray orderLine(const AgentOrder &order);
/// Returns nothing for a line that is not an order.
std::optional<AgentOrder> orderFromLine(const QByteArray &line);

} // namespace rankdeck
