#pragma once

#include "diagnosis/stall/rankactivity.h"
#include "diagnosis/stall/rhythm.h"

#include <functional>
#include <optional>
#include <vector>

namespace rankdeck
{

/// How long a silence may be.
struct StallLimits {
    /// A shorter one is no stall, whatever the rhythm; 0: none is looked for. ms.
    qint64 afterMs = 120'000;
    /// What is allowed to a rank that has no rhythm yet, or says that it compiles: models have been seen to
    /// take half an hour to their first step, which is also when HCCL gives up.
    qint64 startMs() const { return 15 * afterMs; }
    /// Of a rank whose NPU is busy a silence may be so many times as long: it computes.
    static constexpr qint64 busyTimes = 3;
};

/// What the last lines of a log say.
struct LogHint {
    bool isCompiling = false;
    std::optional<qint64> step;
};

/// Tells ranks that are silent for longer than is usual for them. Learns each one's own rhythm from the times
/// at which its log had grown, which are noted anyway: no log is read but the ends of those of a run in which
/// one seems to be stalled. A rank is stalled after a silence of the limit, or of six times its rhythm, or of
/// one and a half times the longest pause that it has come back from, whichever is longest; while its NPU is
/// known to be busy, of three times that. One that is in
/// no rhythm yet, or prints no steps while others do, is not, until all have been silent for as long as a
/// start may take.
///
/// A value without a clock: times are ms since 1970, and the clock they are of may jump. What passes between
/// two calls is taken as watched when it is up to ten seconds. A look costs some nanoseconds a rank.
class StallDetector
{
public:
    using Hints = std::function<LogHint(int process)>;

    /// @param hints reads the end of a log; asked when a rank seems to be stalled, and for few at a time.
    explicit StallDetector(const StallLimits &limits, int processes, Hints hints = {});

    // `process` is an index below the number of them.
    void start(int process, qint64 now);
    void end(int process);
    /// Whether its log is seen to grow. It is, at first.
    void setSeen(int process, bool isSeen, qint64 now);
    /// It is held by somebody, and no more. Who is to meet it waits: the others are soon stalled, and what
    /// they did meanwhile says nothing of their rhythm.
    void setHeld(int process, bool isHeld, qint64 now);
    /// Whether its NPU is known to be busy. It is not, at first.
    void setBusy(int process, bool isBusy) { at(process).isBusy = isBusy; }
    /// By the last look: a rank will have been silent for too long within this time, or has been for no
    /// longer than that, or is not called stalled since its NPU is busy. ms.
    bool isStallNear(qint64 within) const;
    /// Its log has grown.
    void grow(int process, qint64 now);
    /// Its step, where that is known; any step that is not the one before counts.
    void advance(int process, qint64 step, qint64 now);
    /// The same of who looks for its step now and then, which says nothing of its rhythm.
    void place(int process, qint64 step);

    /// Decide anew; to be called once a second or so. True: somebody's kind has changed.
    bool look(qint64 now);
    /// What every process does, by the last look.
    std::vector<RankActivity> activities() const;

private:
    struct Watched {
        explicit Watched(const StallLimits &limits);
        Rhythm growth;
        Rhythm steps;
        RankActivity::Kind kind = RankActivity::Kind::Waiting; ///< As of the last look.
        bool isSeen = true;
        bool hasGrown = false;    ///< Since the last look.
        bool isCompiling = false; ///< By the end of its log.
        bool isBusy = false;      ///< Its NPU.
        std::optional<qint64> heldSince;
        std::optional<qint64> askedAt;
        std::optional<qint64> step;
        qint64 stride = 1; ///< From one step that it says to the next.
    };
    struct Census; ///< Of one look.

    Watched &at(int process) { return m_ranks[static_cast<std::size_t>(process)]; }
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
