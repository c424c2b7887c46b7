#pragma once

#include "diagnosis/catalogue/errorcatalogue.h"
#include "diagnosis/evidence/namedpeers.h"
#include "diagnosis/evidence/pythontrace.h"
#include "diagnosis/failure/errorfile.h"
#include "launch/plan/processplan.h"
#include "log/line/loglinereader.h"
#include "ranktable/table/ranktable.h"
#include "run/process/exitstatus.h"
#include "run/record/runphase.h"

#include <QHash>

namespace rankdeck
{

/// A log line that reports an error.
struct ErrorLine {
    static constexpr int mostText = 500;

    QString file;
    LineNumber line;
    QString text;                ///< Plain, at most mostText characters.
    std::optional<LogTime> time; ///< Its own, or that of the last line before it that has one.
    QString entryId;             ///< Id of the catalogue entry; empty when no entry matches.
    int weight = 0;              ///< Weight of that entry.
    ErrorEntry::Layer layer = ErrorEntry::Layer::Wrapper;
    bool isWarning = false; ///< The line calls itself a warning: perhaps not the cause of the exit.
    /// Calm lines stand between it and the error before: another incident begins.
    bool isAfterCalm = false;
    NamedPeers peers;
    /// Collective operations that the rank had begun, from a watchdog's line.
    std::optional<qint64> operation;
    QString operationName; ///< The line's collective operation, "AllReduce"; empty if it has none.

    int power() const { return ErrorEntry::powerOf(layer, weight); } ///< How much it explains.
    /// Whether it only stands for a kind of error, as ValueError: its text explains more.
    bool isGeneral() const { return weight <= ErrorEntry::generalWeight; }
    /// Whether a shell or a launcher tells how a process ended: no news where it has told why it failed.
    bool tellsOfEnd() const;
    /// Whether it tells of a wait that took too long; others tell of a connection that was closed.
    bool tellsOfTimeout() const;
};

/// All that is known about one process when a verdict is made.
struct RankEvidence {
    /// The process to blame for its exit, by its logs.
    enum class Says {
        Nothing,   ///< No error.
        Something, ///< An error, but not whose.
        Waiting,   ///< It waited for another rank, or lost it, before anything else was wrong.
        Disagrees, ///< It and another rank did not agree.
        OwnError,  ///< The fault is its own.
    };

    int process = -1; ///< Index in LaunchPlan::processes; -1: of a rank that left nothing here.
    Role role = Role::Worker;
    Rank rank;
    QString node;                            ///< Empty when not known.
    DeviceId device = ProcessPlan::noDevice; ///< As planned, else from HCCL's logs.
    QByteArray server;                       ///< Server id in HCCL's logs; empty if they have none.

    std::vector<ErrorLine> errors; ///< From its logs and plogs, in the order of time as far as it is known.
    std::vector<PythonTrace> traces;
    /// As in LogEvidence: they count where the process failed without any other error.
    std::vector<ErrorLine> survivedErrors;
    std::vector<PythonTrace> survivedTraces;
    std::optional<PythonTrace> stack; ///< Of its main thread, taken while the run stood still.
    bool isGuessed = false; ///< No line shows that its errors are this rank's: this rank fits them best.
    std::optional<ErrorFile> errorFile;
    qint64 logBytes = 0;
    std::optional<LogTime> firstTime;
    std::optional<LogTime> lastTime; ///< When it was last heard of in a log.

    RankPhase phase = RankPhase::Unknown;
    std::optional<ExitStatus> status;
    std::optional<LogTime> ended; ///< As its node saw it.
    bool stopRequested = false;
    bool isEndTold = false;  ///< Its launcher reports that it failed.
    bool endedBadly = false; ///< See RankState::endedBadlyByItself().

    Says says() const;
    /// Returns the error on which says() rests: the first one that tells whose fault it is (a warning only if
    /// no error does), else the one that explains most; null if there is no error. In the incident of a wait,
    /// an error of its own that explains more counts.
    const ErrorLine *firstError() const;
    /// Returns the one that explains most of the errors that tell the same as firstError().
    const ErrorLine *heaviestError() const;
    /// Returns when it failed, if known: when it wrote so, else when it ended.
    std::optional<LogTime> failed() const;
    /// Returns true if the kernel killed it because memory ran out.
    bool ranOutOfMemory() const { return failedByItself() && status && !status->outOfMemory.isEmpty(); }
    /// Returns true if it failed by itself, before Rankdeck stopped the others because of that failure.
    bool failedByItself() const { return phase == RankPhase::Failed && !stopRequested; }
    /// Returns true if it lived until Rankdeck ended it: such an end is never why a run failed.
    bool wasEndedByUs() const
    {
        return !failedByItself() && status && status->kind == ExitStatus::Kind::Signalled;
    }
    /// Returns the peers that its errors name.
    NamedPeers peers() const;
};
/// Maps the servers and devices that error lines name to ranks, by rank table, file names and HCCL's logs.
class NodeLayout
{
public:
    /// @param workers by rank.
    /// @param rootServer that of rank 0; may be empty.
    NodeLayout(const RankTable &table, const std::vector<RankEvidence> &workers,
               const QByteArray &rootServer);

    std::optional<int> rankAt(const PeerPlace &place) const;
    /// As rankAt(), also for a device without a known rank: ranks count up with the node's devices.
    std::optional<int> likelyRankAt(const PeerPlace &place) const;

private:
    struct Node {
        QByteArray server;        ///< Empty: not known.
        QHash<int, int> byDevice; ///< Rank by device.
    };
    void readTable(const RankTable &table);
    void cutIntoNodes(const std::vector<RankEvidence> &workers);
    /// The node that has this name, or the only one that may have it.
    const Node *nodeOf(const QByteArray &server) const;

    QHash<QByteArray, int> m_byIp;
    QHash<QByteArray, int> m_byServer; ///< "server/device", of the rank table.
    std::vector<Node> m_nodes;
};

} // namespace rankdeck
