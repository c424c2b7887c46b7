#pragma once

#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"
#include "run/record/runevent.h"
#include "run/record/runrequests.h"
#include "run/samples/nodesample.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <limits>
#include <variant>

namespace rankdeck
{

/// The events of an agent that its head may not have received: numbered from 1, and kept until the head has
/// acknowledged them, so that those lost with a broken stream can be sent again.
class EventBacklog
{
public:
    /// Keeps the line of an event, and returns it with its number.
    QByteArray add(const QByteArray &line);
    /// The head has all events up to `number`. A number that was never given is ignored.
    void acknowledge(qint64 number);
    /// Returns the lines that are kept, oldest first.
    const std::deque<QByteArray> &lines() const { return m_lines; }
    bool isEmpty() const { return m_lines.empty(); }

    /// Returns the number in a line; nothing if it has none.
    static std::optional<qint64> numberIn(const QByteArray &line);

private:
    std::deque<QByteArray> m_lines;
    qint64 m_acknowledged = 0; ///< The number before that of the first line.
};

// What a supervisor and its agents say to each other: one JSON object a line, either way. The agent's first
// line is agentMagic, so that whatever a login shell prints before it is recognised as such. Agents answer
// with RunEvents.

inline constexpr char agentMagic[] = "rankdeck-agent 1";
/// Sent in place of agentMagic to a head that reconnects to an agent that has ended or is ending.
inline constexpr char noAgentLine[] = "rankdeck-agent gone";

/// Interval of heartbeats …
inline constexpr std::chrono::milliseconds heartbeatInterval{2000};
/// … and the silence after which the other side is given up.
inline constexpr std::chrono::milliseconds silenceLimit{30000};

/// Frames beside the lines, from the agent: a LogChunk each …
inline constexpr quint16 logChannel = 1;
/// … or a piece of a flight recorder's dump each; see DumpPiece.
inline constexpr quint16 dumpChannel = 2;

/// A piece of a file that a flight recorder has written on a node that does not share the run directory. The
/// pieces of a file come in order.
struct DumpPiece {
    QString name; ///< Of the file, without a folder: letters, digits, "_", "-", "."; not a hidden one.
    bool isFirst = false;
    QByteArray bytes; ///< At most mostBytes.

    static constexpr qsizetype mostBytes = 512 * 1024;

    QByteArray toBytes() const;
    /// Returns nothing for another text, or a name that could lead elsewhere.
    static std::optional<DumpPiece> fromBytes(QByteArrayView text);
    bool operator==(const DumpPiece &) const = default;
};

/// A folder that the node may share, and the file in it that shows this; see SharedFolderProbe.
struct FolderProbe {
    QString folder;
    QString name;
    bool operator==(const FolderProbe &) const = default;
};

/// A heartbeat without a number.
inline constexpr char heartbeatLine[] = "{}";

/// What a supervisor asks of an agent.
struct AgentOrder {
    enum class Kind {
        Heartbeat,
        Describe, ///< The node; the agent answers with a NodeDescription.
        /// Gather what planning `spec` for the node depends on, under `environment`, which all processes get
        /// from now on; the agent answers with GatheredFacts.
        Gather,
        /// Do everything but start the processes of `plan`, the node's share below runDirectoryPlaceholder;
        /// the agent answers with a PreparedNode.
        Prepare,
        StartPrepared,
        /// Find who holds what `plan`, the node's share, is going to use, under `environment`; the agent
        /// answers with Holders.
        FindHolders,
        EndHolders, ///< End the runs of ours among these; the agent answers with Holders.
        Start,      ///< The processes of `plan` that are planned for `node`.
        TearDown,   ///< SIGTERM, grace, SIGKILL.
        Stop,       ///< As TearDown, but hooks after the launch get the grace too.
        Kill,
        ReadFiles,     ///< Send logs of an earlier launch, as LogWishes ask; starts nothing.
        StopProcesses, ///< SIGTERM, grace, SIGKILL for `processes`; the others go on.
        KillProcesses,
        /// Start `processes` again, those that run after SIGTERM, grace, SIGKILL; the agent answers with a
        /// RunEvent ProcessStarted, ProcessNotStarted or StartRefused for each.
        StartProcesses,
        /// Dump the stacks of `processes`; the agent answers with a RunEvent StacksDumped for each.
        DumpStacks,
        /// Ask the flight recorders of all ranks for dumps, and wait for `seconds` at most; the agent answers
        /// with a RunEvent RecordersDumped, and before it with the dumps themselves if `sendsDumps`.
        DumpRecorders,
        /// Send `signalNumber` to `processes`; the agent answers with a RunEvent SignalSent for each.
        Signal,
        /// Start the one process of `plan`, a tool: `processes` are its index, behind those of the run's
        /// plan, and whom it looks at. Later orders and events have it by that index.
        AttachTool,
        /// The rank that was told of by RankFound, the one process of `plan`, has joined the run's plan:
        /// `processes` are its index there and its pid. Later orders and events have it by that index.
        NameRank,
        Type, ///< Type `input` into terminals.
        /// Look at the node before a launch of `plan`, the node's share, under `environment`, with
        /// `imports`, `tableIps` and a limit of `seconds`; the agent answers with NodeAnswers.
        CheckNode,
        /// Start the self-test's process for each of `ranks`, of `worldSize`, with `arguments`; the agent
        /// answers with RankLines.
        StartSelfTest,
        /// Sample the node every `intervalMs`, 0: no more, with `processes`' only one, if any, looked at
        /// closely; the agent answers with NodeSamples.
        Sample,
        TellRank, ///< Pass `rankLine` to the self-test's process of the one rank in `ranks`.
        /// The head has come back over another stream: the events after number `heard` are told again.
        Rejoin,
    };

    Kind kind = Kind::Heartbeat;
    LaunchPlan plan = {};
    QString node = {};
    QList<int> processes =
        {}; ///< Of Stop-, Kill- and StartProcesses, DumpStacks, Signal and Sample; by index in the plan.
    int dumpSignal = 0;      ///< Of DumpStacks: what makes Python write its stacks; 0: nothing does.
    bool sendsDumps = false; ///< Of DumpRecorders: the head does not see the node's run directory.
    bool isUrgent = false; ///< Of DumpStacks: the ranks are about to be ended, so the quickest tool is used.
    int signalNumber = 0;  ///< Of Signal: one of sendableSignals().
    TerminalInput input = {}; ///< Of Type.
    LaunchSpec spec = {};
    QMap<QString, QString> environment = {};
    QString runDirectory = {};      ///< Where the supervisor has it.
    QList<FolderProbe> probes = {}; ///< Of Prepare: of the run directory and of other folders for logs.
    QString head = {};              ///< Of Prepare: the supervisor's host.
    bool copiesLogs = false;        ///< Of StartPrepared: LogWishes follow, and a last one at the end.
    QStringList files = {};         ///< Of ReadFiles; absolute paths on the node.
    int silenceSeconds = 0;         ///< Of Gather: give the supervisor up after so much silence.
    QString rejoinId = {};    ///< Of Gather: by this the head finds the agent again; empty: it does not.
    QStringList imports = {}; ///< Of CheckNode: Python modules.
    QString language = {};    ///< Of CheckNode: as installedLanguage() has it, for the words of the checks.
    QMap<int, QString> tableIps = {}; ///< Of CheckNode: see NodeCheckTask.
    int seconds = 0;                  ///< Of CheckNode and DumpRecorders.
    int intervalMs = 0;               ///< Of Sample.
    QList<int> ranks = {};
    int worldSize = 0;
    QStringList arguments = {};
    QByteArray rankLine = {};
    qint64 heard = 0; ///< Of Heartbeat and Rejoin: the number of the last event that has arrived.

    QByteArray toLine() const;
    /// Returns nothing for a line that is not an order.
    static std::optional<AgentOrder> fromLine(const QByteArray &line);
};

/// Puts the times of a node's samples, which its own clock says, on this machine's: a sample is made right
/// before it is sent. The samples that bring the same reading of NPUs have the same time for it here too.
class SampleClock
{
public:
    /// @param now when it arrived, UTC.
    NodeSample mapped(NodeSample sample, const QDateTime &now)
    {
        if (sample.devices && sample.devices->time != m_there) {
            m_there = sample.devices->time;
            m_here = now.addMSecs(std::min<qint64>(0, sample.time.msecsTo(m_there)));
        }
        if (sample.devices)
            sample.devices->time = m_here;
        sample.time = now;
        return sample;
    }

private:
    QDateTime m_there; ///< When the last reading was made, by the node's clock …
    QDateTime m_here;  ///< … and by this machine's.
};

/// How far another node's monotonic clock is from this machine's: the least difference seen between sending
/// there and arriving here, too large by the shortest way, which is milliseconds. Its wall clock, which may
/// be wrong or be set meanwhile, is not asked.
class ClockOffset
{
public:
    /// Returns a line with this machine's clock, to be sent at once.
    static QByteArray lineOfThisNode();
    /// Returns true if `line`, which has just arrived, is such a line; then its clock is noted.
    bool note(const QByteArray &line);

    /// Returns the event with this machine's times; unchanged until a line was noted.
    RunEvent mapped(RunEvent event) const;

private:
    std::optional<qint64> m_offsetNs;
};

/// Bulk bytes on the stream between a supervisor and an agent, beside the lines of JSON.
struct Frame {
    quint16 channel = 0; ///< What the bytes are for; each user of the stream has one.
    QByteArray bytes;

    bool operator==(const Frame &) const = default;
};

/// The most bytes that a frame may hold.
inline constexpr qsizetype mostFrameBytes = 1024 * 1024;

/// A frame as it is sent: NUL, 'F', the channel in two bytes and the number of bytes in four, both
/// little-endian, then the bytes. No line of text begins like that. It may stand wherever a line may begin.
/// @param bytes at most mostFrameBytes.
QByteArray framed(quint16 channel, QByteArrayView bytes);

/// Splits a stream into lines and frames. Keeps what has not been taken, and at most one unfinished line or
/// frame. Anything else in the stream makes it unusable.
class FrameDecoder
{
public:
    using Item = std::variant<QByteArray, Frame>;

    /// @param longestLine bytes, without the line end.
    explicit FrameDecoder(qsizetype longestLine);

    void add(QByteArrayView bytes);
    /// Returns the next whole line, without its end, or frame; nothing until one is complete.
    std::optional<Item> take();
    /// Returns true after a broken or too large frame or a too long line: take() returns nothing more.
    bool isUnusable() const { return m_isUnusable; }

private:
    std::optional<Item> takeFrame(QByteArrayView rest);
    std::optional<Item> takeLine(QByteArrayView rest);
    void giveUp();

    qsizetype m_longestLine;
    QByteArray m_bytes;
    qsizetype m_taken = 0;    ///< Bytes at the beginning that have been taken.
    qsizetype m_searched = 0; ///< Behind these there is no line end up to here.
    bool m_isUnusable = false;
};

} // namespace rankdeck
