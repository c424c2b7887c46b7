#pragma once

#include "diagnosis/stall/stallverdict.h"
#include "launch/plan/processplan.h"
#include "run/record/runevent.h"
#include "run/samples/nodesample.h"

namespace rankdeck
{

struct LaunchPlan;
struct LaunchSpec;

/// Watches the ranks of one attempt of a run for stalls, and returns an event when the run's verdict has
/// changed: seldom, even if ranks stutter. A look costs some nanoseconds a rank while they print; their steps
/// are read from the ends of the logs that grew, for at most a hundredth of the time.
///
/// Has no clock and reads no growth by itself: times are ms since 1970.
class StallWatch
{
public:
    /// @param plan of the attempt.
    StallWatch(const LaunchSpec &spec, const LaunchPlan &plan);

    /// Handles an event of processes or nodes; ignores all others.
    void take(const RunEvent &event, qint64 now);
    /// Notes that the logs of these processes, by index, have grown.
    void grow(const std::vector<int> &processes, qint64 now);
    /// Notes a request for the stacks of these processes: until they are dumped, and a moment longer, new
    /// lines in the logs of stalled ones may be these stacks, and do not show that the ranks go on.
    void awaitStacks(const QList<int> &processes, qint64 now);
    /// Notes the processes whose logs are visible: if logs stay on other nodes, only these are copied here.
    void show(const QList<int> &processes, qint64 now);

    /// Handles a sample of a node. A rank whose NPU is busy may be silent for three times as long; the text
    /// on a stall includes the load of its NPU. An idle NPU alone does not make a rank stalled.
    void sample(const NodeSample &sample, qint64 now);
    /// Returns true if a rank may soon be reported as stalled, or has just been: then samples are useful.
    bool isStallNear() const;
    /// Judges the run again; call it once a second or more often. Returns an event Stalled or StallEnded for
    /// a new state that has lasted for two seconds, or, if ranks are behind the others, for as long as a
    /// silence may last; ten events at once, and after these one in five minutes.
    std::optional<RunEvent> look(qint64 now);

private:
    /// The part of a verdict that is compared: the time of a rank's silence, or how far it is behind, is no
    /// news.
    struct Told {
        StallVerdict::Kind kind = StallVerdict::Kind::None;
        QList<int> stalled;
        QList<int> named;
        /// Qt 6.4 passes null to memcmp() where one of two empty lists has no memory.
        bool operator==(const Told &other) const
        {
            return kind == other.kind && std::ranges::equal(stalled, other.stalled) &&
                   std::ranges::equal(named, other.named);
        }
    };

    /// Reasons for which a rank stands still without a stall.
    struct Held {
        bool fromOutside = false; ///< By a signal, or another program that traces it.
        bool atPrompt = false;
    };

    /// Load of a rank's NPU.
    struct Npu {
        qint64 time = 0;      ///< Time of the last reading.
        qint64 idleSince = 0; ///< All readings since then said 0 %.
        int percent = 0;
        bool isAiCore = true; ///< Load of the AI cores, not of the chip as a whole.
    };

    bool isWatched(int process) const;
    bool isWithoutLines(int process) const;
    void growMute(qint64 now);
    bool isFresh(const Npu &npu, qint64 now) const;
    void forgetOldSamples(qint64 now);
    Sentence npuText(const QList<int> &processes, qint64 now) const;
    void showHeld(int process, qint64 now);
    LogHint hintOf(int process) const;
    void readSteps(qint64 now);
    void setNodeSeen(const QString &node, bool isSeen, qint64 now);
    void showSeen(int process, qint64 now);
    void hideWhoHasJustFallenBehind(qint64 now);
    bool mayTell(qint64 now);
    RunEvent eventOf(qint64 now) const;

    std::vector<ProcessPlan> m_processes;
    QList<int> m_ranks;
    QString m_commandLog; ///< The log of the command that was wrapped; empty if there is none.
    ProgressReader m_reader;
    bool m_copiesAll; ///< Logs of other nodes come here, looked at or not.
    qint64 m_afterMs;
    qint64 m_stepsEveryMs;
    std::unique_ptr<StallDetector> m_detector; ///< None: no stall is looked for.
    std::vector<Held> m_isHeld;
    std::vector<bool> m_hasGrown;      ///< Since its step was read.
    std::vector<bool> m_isMute;        ///< It runs, but its log has not begun, and may never begin.
    std::vector<qint64> m_deafUntil;   ///< Growth of its log until then does not count.
    std::vector<qint64> m_behindSince; ///< Without a break until the last look; 0: it is not behind.
    std::vector<bool> m_isUnseen;      ///< Its log does not come here.
    std::vector<bool> m_isUnreached;   ///< Its node is cut off.
    std::vector<Npu> m_npus;
    QMap<QString, QDateTime> m_readings; ///< The times of the last ones, by node.
    std::optional<qint64> m_stepsReadAt;
    std::optional<qint64> m_lookedAt;
    bool m_isChanged = false; ///< Something may be new since the verdict was found.

    Told m_told;
    StallVerdict m_verdict;
    std::vector<RankActivity> m_activities;
    std::optional<Told> m_news; ///< New state that is not reported yet …
    qint64 m_newsSince = 0;     ///< … since when it has lasted …
    qint64 m_oldSince = 0;      ///< … and since when the reported state is wrong.
    int m_tellings;             ///< Left to be made now.
    qint64 m_refilledAt = 0;
};

} // namespace rankdeck
