#pragma once

#include "diagnosis/progress/progressreader.h"

#include <functional>
#include <vector>

namespace rankdeck
{

/// Activity of a rank of a live run, by its log and its steps.
struct RankActivity {
    enum class Kind {
        Waiting,   ///< Not started yet.
        Starting,  ///< No rhythm yet; the first step may take many minutes.
        Compiling, ///< Silent after it wrote that it compiles.
        Working,
        Quiet,   ///< Silent, but it does not print every step.
        Stalled, ///< Silent for much longer than is usual for it.
        Held,    ///< By SIGSTOP or by a debugger, since `since`.
        Ended,
        Unseen, ///< Its log does not come here, or its node is not reached.
    };

    Kind kind = Kind::Waiting;
    qint64 since = 0;   ///< Its last sign, or its start: ms since 1970, UTC.
    qint64 usualMs = 0; ///< From one sign to the next; 0 while it is not known.
    std::optional<qint64> step;
    qint64 stepsBehind = 0; ///< Behind the farthest rank; 0 also if it may just not have printed it yet.

    /// Returns true for a running process that is observed.
    bool isAlive() const { return kind != Kind::Waiting && kind != Kind::Ended && kind != Kind::Unseen; }
    bool operator==(const RankActivity &) const = default;
};

/// Learns the usual time between two signs of a process. Times are ms of one clock. Uses some 350 bytes.
class Rhythm
{
public:
    /// @param leastGaps, leastSpanMs after which the rhythm is known: a starting program has none.
    Rhythm(int leastGaps, qint64 leastSpanMs);

    /// Adds a sign; must not be earlier than the last one.
    void note(qint64 now);
    /// Moves all signs by a time in which nothing was observed.
    void shift(qint64 byMs);
    /// The process has started: usual() forgets the gaps of the start once there are three others, and at
    /// once if it is known that it `hasGoneOn`.
    void endStart(bool hasGoneOn);

    /// Returns the time of the last sign; 0 before the first.
    qint64 last() const { return m_last; }
    /// From the first sign to the last, ms.
    qint64 span() const { return m_last - m_first; }
    /// Returns true after three gaps, or once it has gone on after its start.
    bool isGoing() const { return std::max(m_count, m_gapsAfterStart) >= fewGaps; }
    bool isKnown() const { return m_count >= m_leastGaps && span() >= m_leastSpanMs; }
    /// Returns the 90 % quantile of the last 64 gaps, ms; 0 if there is none.
    qint64 usual() const;
    /// Returns the longest pause since the rhythm is known, ms. Forgotten after some thousand gaps.
    qint64 longest() const { return qMax(m_longest, m_longestBefore); }

private:
    static constexpr int fewGaps = 3;

    int m_leastGaps;
    qint64 m_leastSpanMs;
    bool m_hasSign = false;
    qint64 m_first = 0;
    qint64 m_last = 0;
    int m_count = 0;
    int m_gapsAfterStart = -1;   ///< -1: it has not ended.
    std::vector<quint32> m_gaps; ///< The last gaps, ms; a new one overwrites the oldest.
    mutable std::optional<qint64> m_usual;
    qint64 m_longest = 0;       ///< Longest gap of this generation …
    qint64 m_longestBefore = 0; ///< … and of the generation before.
};

/// Limits for a silence.
struct StallLimits {
    /// Shortest silence that may be a stall, ms; 0 turns detection off.
    qint64 afterMs = 120'000;
    /// Limit for a rank without a rhythm, or that compiles, ms: by default half an hour, as HCCL's time-out.
    qint64 startMs() const { return 15 * afterMs; }
    /// Factor for the limits of a rank whose NPU is busy: it computes.
    static constexpr qint64 busyTimes = 3;
};

/// Facts from the last lines of a log.
struct LogHint {
    bool isCompiling = false;
    std::optional<qint64> step;
};

/// Reads the last lines of a log, at most 16 KiB: whether its process compiles, and its step, counted over
/// all epochs if the line has the steps of an epoch. Empty if the log cannot be read.
LogHint hintOfLog(const QString &path, const ProgressReader &reader = {});

/// Detects ranks that are silent for longer than is usual for them. Learns the rhythm of each rank from the
/// times at which its log grew, which are noted anyway; reads the ends of logs only if a rank seems stalled.
/// A rank is stalled after the limit, six times its rhythm, or one and a half times the longest pause after
/// which it went on, whichever is longest; three times that while its NPU is known to be busy. A rank without
/// a rhythm, or one that prints no steps while others do, is stalled only after all have been silent for as
/// long as a start may take.
///
/// Has no clock: times are ms since 1970, of a clock that may jump. Up to ten seconds between two calls count
/// as observed. A look costs some nanoseconds a rank.
class StallDetector
{
public:
    using Hints = std::function<LogHint(int process)>;

    /// @param hints reads the end of a log; called for a few ranks at a time when a rank seems stalled.
    explicit StallDetector(const StallLimits &limits, int processes, Hints hints = {});

    // `process` is an index below the number of processes.
    void start(int process, qint64 now);
    void end(int process);
    /// Sets whether the log is observed; initially it is.
    void setSeen(int process, bool isSeen, qint64 now);
    /// Sets whether it is held (stopped or traced). The others soon wait; their rhythm ignores that time.
    void setHeld(int process, bool isHeld, qint64 now);
    /// Sets whether the NPU is known to be busy; initially it is not.
    void setBusy(int process, bool isBusy) { at(process).isBusy = isBusy; }
    /// Returns true if, by the last look, a rank will reach its limit within this time, has just passed it,
    /// or is not called stalled only because its NPU is busy. ms.
    bool isStallNear(qint64 within) const;
    /// Notes that the log has grown.
    void grow(int process, qint64 now);
    /// Notes the step at the end of the log. A rank that has a step has started.
    void place(int process, qint64 step);

    /// Judges all processes again; call it about once a second. Returns true if a kind has changed.
    bool look(qint64 now);
    /// Returns the activity of every process, by the last look.
    std::vector<RankActivity> activities() const;

private:
    struct Watched {
        explicit Watched(const StallLimits &limits);
        Rhythm growth;
        RankActivity::Kind kind = RankActivity::Kind::Waiting; ///< As of the last look.
        bool isSeen = true;
        bool hasGrown = false;    ///< Since the last look.
        bool isCompiling = false; ///< By the end of its log.
        bool isBusy = false;      ///< Its NPU.
        std::optional<qint64> heldSince;
        std::optional<qint64> askedAt;
        std::optional<qint64> step;
        qint64 stride = 1; ///< From one printed step to the next.
    };
    struct Census; ///< Counts of one look at all ranks.

    Watched &at(int process) { return m_ranks[std::size_t(process)]; }
    void moveClock(qint64 now);
    static bool isWatched(const Watched &rank);
    qint64 silence(const Watched &rank) const { return m_now - rank.growth.last(); }
    qint64 limit(const Watched &rank) const;
    qint64 wholeLimit(const Watched &rank) const;
    static qint64 times(const Watched &rank) { return rank.isBusy ? StallLimits::busyTimes : 1; }
    bool isTooSilent(const Watched &rank) const { return silence(rank) > limit(rank) * times(rank); }
    bool isAnswered(const Watched &rank) const;
    bool askLogs();
    Census count() const;
    RankActivity::Kind kindOf(const Watched &rank, const Census &census) const;
    RankActivity activityOf(const Watched &rank, qint64 farthestStep) const;

    StallLimits m_limits;
    Hints m_hints;
    std::vector<Watched> m_ranks;
    std::optional<qint64> m_clock;
    qint64 m_now = 0;
};

} // namespace rankdeck
