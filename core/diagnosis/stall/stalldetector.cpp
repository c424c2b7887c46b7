#include "diagnosis/stall/stalldetector.h"

#include <algorithm>
#include <utility>

namespace rankdeck
{

namespace
{

using Kind = RankActivity::Kind;

constexpr int leastGrowths = 12;
constexpr int leastSteps = 3;
/// Six: a rank whose pauses differ five times from each other is not called stalled.
constexpr qint64 rhythmTimes = 6;
/// While somebody is held, the others soon wait; who prints more seldom than this has its rhythm's time.
constexpr qint64 mostWaitMs = 5000;
constexpr qint64 waitTimes = 3;
/// What passes between two looks otherwise nobody has watched: the machine slept, or its clock was set.
constexpr qint64 longestLookMs = 10'000;
/// Ends of logs read in one look; some ms.
constexpr int mostAsked = 64;

} // namespace

struct StallDetector::Census {
    bool hasSteps = false; ///< Somebody says them; who does not while others do tells nothing by silence.
    int speakers = 0;      ///< Those whose silence tells something …
    int silentSpeakers = 0;
    bool isAnybodyBusy = false;
    std::optional<qint64> heldSince; ///< Somebody is.

    bool isSpeaker(const Watched &rank) const
    {
        return hasSteps ? rank.step && rank.growth.gaps() >= leastSteps : rank.growth.isKnown();
    }
};

StallDetector::Watched::Watched(const StallLimits &limits)
    : growth(leastGrowths, 2 * limits.afterMs)
    , steps(leastSteps, 0)
{
}

StallDetector::StallDetector(const StallLimits &limits, int processes, Hints hints)
    : m_limits(limits)
    , m_hints(std::move(hints))
    , m_ranks(static_cast<std::size_t>(processes), Watched(limits))
{
}

/// Where nobody watched, nothing is known of a silence.
void StallDetector::moveClock(qint64 now)
{
    const qint64 passed = now - m_clock.value_or(now);
    m_clock = m_now = now;
    if (passed >= 0 && passed <= longestLookMs)
        return;
    for (Watched &rank : m_ranks) {
        rank.growth.shift(passed);
        rank.steps.shift(passed);
        if (rank.askedAt)
            *rank.askedAt += passed;
    }
}

void StallDetector::start(int process, qint64 now)
{
    moveClock(now);
    const bool isSeen = at(process).isSeen;
    Watched &rank = at(process) = Watched(m_limits);
    rank.isSeen = isSeen;
    rank.kind = Kind::Starting;
    rank.growth.note(now);
}

void StallDetector::end(int process)
{
    if (at(process).heldSince)
        setHeld(process, false, m_now);
    at(process).kind = Kind::Ended;
}

void StallDetector::setHeld(int process, bool isHeld, qint64 now)
{
    moveClock(now);
    if (at(process).heldSince.has_value() == isHeld)
        return;
    if (isHeld) {
        at(process).heldSince = now;
        return;
    }
    at(process).heldSince.reset();
    for (Watched &rank : m_ranks) {
        if (rank.kind == Kind::Stalled || rank.kind == Kind::Held)
            rank.kind = Kind::Working; // Until the next look.
        rank.growth.shift(now - rank.growth.last());
    }
}

void StallDetector::setSeen(int process, bool isSeen, qint64 now)
{
    moveClock(now);
    Watched &rank = at(process);
    // What it has done meanwhile comes in no rhythm.
    if (isSeen && !rank.isSeen && rank.kind != Kind::Stalled)
        rank.growth.shift(now - rank.growth.last());
    rank.isSeen = isSeen;
}

void StallDetector::grow(int process, qint64 now)
{
    moveClock(now);
    Watched &rank = at(process);
    rank.growth.note(now);
    rank.hasGrown = true;
    rank.isCompiling = false;
}

void StallDetector::advance(int process, qint64 step, qint64 now)
{
    moveClock(now);
    Watched &rank = at(process);
    if (rank.step == step)
        return;
    rank.steps.note(now);
    place(process, step);
}

void StallDetector::place(int process, qint64 step)
{
    Watched &rank = at(process);
    if (rank.step && step > *rank.step)
        rank.stride = step - *rank.step;
    rank.step = step;
}

bool StallDetector::isWatched(const Watched &rank)
{
    return rank.isSeen && !rank.heldSince && rank.kind != Kind::Waiting && rank.kind != Kind::Ended;
}

qint64 StallDetector::limit(const Watched &rank) const
{
    if (silence(rank) <= m_limits.afterMs)
        return m_limits.afterMs; // Which is all that is asked of most, most of the time.
    return wholeLimit(rank);
}

qint64 StallDetector::wholeLimit(const Watched &rank) const
{
    return std::max({m_limits.afterMs, rhythmTimes * std::max(rank.growth.usual(), rank.steps.usual()),
                     std::min(rank.growth.longest() * 3 / 2, m_limits.startMs())});
}

/// Whether the end of its log has been read in this silence; of one that is busy, which may print its first
/// step later, now and then.
bool StallDetector::isAnswered(const Watched &rank) const
{
    if (!rank.askedAt)
        return false;
    if (silence(rank) > m_limits.afterMs)
        return *rank.askedAt > rank.growth.last() + m_limits.afterMs;
    return rank.step || m_now - *rank.askedAt < m_limits.startMs();
}

/// What the ends of the logs say of a run in which somebody seems to be stalled. False: not all have been
/// read yet.
bool StallDetector::askLogs()
{
    if (!m_hints)
        return true;
    int asked = 0;
    for (std::size_t process = 0; process < m_ranks.size(); ++process) {
        Watched &rank = m_ranks[process];
        if (!isWatched(rank) || isAnswered(rank))
            continue;
        if (++asked > mostAsked)
            return false;
        const LogHint hint = m_hints(static_cast<int>(process));
        rank.askedAt = m_now;
        rank.isCompiling = hint.isCompiling;
        if (hint.step)
            rank.step = hint.step;
    }
    return true;
}

StallDetector::Census StallDetector::count() const
{
    Census census;
    census.hasSteps = std::any_of(m_ranks.begin(), m_ranks.end(),
                                  [](const Watched &rank) { return isWatched(rank) && rank.step; });
    for (const Watched &rank : m_ranks) {
        if (rank.heldSince)
            census.heldSince = std::min(*rank.heldSince, census.heldSince.value_or(*rank.heldSince));
        if (!isWatched(rank))
            continue;
        const bool isSpeaker = census.isSpeaker(rank);
        const bool isSilent = isSpeaker ? isTooSilent(rank) : silence(rank) > m_limits.afterMs;
        census.speakers += isSpeaker ? 1 : 0;
        census.silentSpeakers += isSpeaker && isSilent ? 1 : 0;
        census.isAnybodyBusy = census.isAnybodyBusy || !isSilent;
    }
    return census;
}

RankActivity::Kind StallDetector::kindOf(const Watched &rank, const Census &census) const
{
    if (rank.kind == Kind::Stalled && !rank.hasGrown)
        return Kind::Stalled; // Whatever the others do meanwhile.
    const qint64 silent = silence(rank);
    if (census.heldSince &&
        std::min(silent, m_now - *census.heldSince) >
            std::max(std::min(mostWaitMs, m_limits.afterMs), waitTimes * rank.growth.usual()))
        return Kind::Stalled;
    if (rank.isCompiling && silent <= m_limits.startMs())
        return Kind::Compiling;
    if (census.isSpeaker(rank)) {
        if (!isTooSilent(rank))
            return Kind::Working;
        // Without steps, one that was only loud while it started looks the same.
        const bool isTelling = rank.step || rank.growth.span() >= m_limits.startMs() ||
                               2 * census.silentSpeakers > census.speakers;
        return isTelling ? Kind::Stalled : Kind::Quiet;
    }
    if (census.speakers > 0)
        return silent > m_limits.afterMs ? Kind::Quiet : Kind::Working;
    return !census.isAnybodyBusy && silent > m_limits.startMs() * times(rank) ? Kind::Stalled
                                                                              : Kind::Starting;
}

bool StallDetector::look(qint64 now)
{
    moveClock(now);
    const auto isSuspect = [this](const Watched &rank) {
        return isWatched(rank) && rank.kind != Kind::Stalled && isTooSilent(rank);
    };
    if (m_limits.afterMs <= 0 || (std::any_of(m_ranks.begin(), m_ranks.end(), isSuspect) && !askLogs()))
        return false;
    const Census census = count();
    bool hasChanged = false;
    for (Watched &rank : m_ranks) {
        if (rank.heldSince)
            hasChanged = std::exchange(rank.kind, Kind::Held) != Kind::Held || hasChanged;
        if (!isWatched(rank))
            continue;
        const Kind kind = kindOf(rank, census);
        hasChanged = hasChanged || kind != rank.kind;
        rank.kind = kind;
        rank.hasGrown = false;
    }
    return hasChanged;
}

RankActivity StallDetector::activityOf(const Watched &rank, qint64 farthestStep) const
{
    RankActivity activity;
    const bool isOpen = rank.kind != Kind::Waiting && rank.kind != Kind::Ended;
    activity.kind =
        isOpen && !rank.isSeen && rank.kind != Kind::Stalled && !rank.heldSince ? Kind::Unseen : rank.kind;
    activity.since = rank.heldSince.value_or(rank.growth.last());
    activity.usualMs = rank.growth.isKnown() ? rank.growth.usual() : 0;
    activity.step = rank.step;
    // Ranks do not say the same step at the same moment; those that stand have said what they had.
    const qint64 behind = activity.isAlive() && rank.step ? farthestStep - *rank.step : 0;
    activity.stepsBehind = activity.kind == Kind::Stalled || behind > 2 * rank.stride ? behind : 0;
    return activity;
}

bool StallDetector::isStallNear(qint64 within) const
{
    return std::any_of(m_ranks.begin(), m_ranks.end(), [&](const Watched &rank) {
        if (!isWatched(rank) || silence(rank) + within <= m_limits.afterMs)
            return false;
        const qint64 limit = rank.growth.isKnown() || rank.step ? wholeLimit(rank) : m_limits.startMs();
        return silence(rank) >= limit - within && silence(rank) <= limit * times(rank) + within;
    });
}

std::vector<RankActivity> StallDetector::activities() const
{
    qint64 farthestStep = 0;
    for (const Watched &rank : m_ranks) {
        if (isWatched(rank))
            farthestStep = std::max(farthestStep, rank.step.value_or(0));
    }
    std::vector<RankActivity> activities;
    activities.reserve(m_ranks.size());
    for (const Watched &rank : m_ranks)
        activities.push_back(activityOf(rank, farthestStep));
    return activities;
}

} // namespace rankdeck
