#include "diagnosis/stall/stalldetector.h"

#include "log/line/filelines.h"

#include <limits>

namespace rankdeck
{

using Does = RankActivity::Kind;

constexpr int keptGaps = 64;
constexpr int generationGaps = 4096;

constexpr int lines = 60;
constexpr qint64 bytes = 16 * 1024;
/// Lines of other processes may follow a line about compiling.
constexpr int linesOfNow = 3;

/// Words of frameworks (MindSpore, torch.compile, torchair, vLLM, others) before a silence, in lower case.
constexpr std::array compileWords{"compil",         "编译",        "build graph",
                                  "building graph", "graph build", "capturing",
                                  "autotun",        "warming up",  "starting training model"};

static std::optional<qint64> stepOf(const QByteArray &line, const ProgressReader &reader)
{
    const QByteArrayView whole = QByteArrayView(line).trimmed(); // A bar overwrites itself.
    const auto point = reader.read(whole.sliced(whole.lastIndexOf('\r') + 1));
    if (!point || !point->step)
        return std::nullopt;
    const bool isOfEpoch = !point->isGlobalStep && point->epoch && point->steps && point->epochs != 1;
    return isOfEpoch ? qint64(*point->epoch) * *point->steps + *point->step : *point->step;
}

constexpr int leastGrowths = 12;
/// Six, since pauses of a healthy rank may differ five times.
constexpr qint64 rhythmTimes = 6;
/// While a process is held, the others soon wait; a rank that seldom prints gets three times its rhythm.
constexpr qint64 mostWaitMs = 5000;
constexpr qint64 waitTimes = 3;
/// A longer time between two looks was not observed: the machine slept, or its clock was set.
constexpr qint64 longestLookMs = 10'000;
/// Logs whose ends are read in one look; takes some ms.
constexpr int mostAsked = 64;

Rhythm::Rhythm(int leastGaps, qint64 leastSpanMs)
    : m_leastGaps(leastGaps)
    , m_leastSpanMs(leastSpanMs)
{
}

void Rhythm::note(qint64 now)
{
    if (!m_hasSign) {
        m_hasSign = true;
        m_first = m_last = now;
        return;
    }
    const qint64 gap = std::clamp<qint64>(now - m_last, 0, std::numeric_limits<quint32>::max());
    if (isKnown()) // Before, it was a pause of the start.
        m_longest = std::max(m_longest, gap);
    m_last = now;
    m_usual.reset();
    if (m_gaps.size() < keptGaps)
        m_gaps.push_back(quint32(gap));
    else
        m_gaps[std::size_t(m_count % keptGaps)] = quint32(gap);
    if (m_gapsAfterStart >= 0 && ++m_gapsAfterStart == fewGaps && m_gaps.size() < keptGaps)
        m_gaps.erase(m_gaps.begin(), m_gaps.end() - fewGaps);
    // The reset keeps the count a multiple of the ring and above every minimum.
    if (++m_count >= 2 * generationGaps) {
        m_count = generationGaps;
        m_longestBefore = std::exchange(m_longest, 0);
    }
}

void Rhythm::endStart(bool hasGoneOn)
{
    const int after = std::max(m_gapsAfterStart, 0);
    if (hasGoneOn && after < fewGaps && m_gaps.size() < keptGaps)
        m_gaps.erase(m_gaps.begin(), m_gaps.end() - after);
    m_gapsAfterStart = hasGoneOn ? std::max(after, fewGaps) : after;
    m_usual.reset();
}

void Rhythm::shift(qint64 byMs)
{
    m_first += byMs;
    m_last += byMs;
}

qint64 Rhythm::usual() const
{
    if (m_gaps.empty())
        return 0;
    if (!m_usual) { // Asked over and over while a rank is silent.
        std::vector<quint32> gaps = m_gaps;
        const auto tenth = gaps.begin() + qsizetype(gaps.size() * 9 / 10);
        std::nth_element(gaps.begin(), tenth, gaps.end());
        m_usual = *tenth;
    }
    return *m_usual;
}

LogHint hintOfLog(const QString &path, const ProgressReader &reader)
{
    LogHint hint;
    const QList<QByteArray> last = lastLines(path, lines, bytes);
    const auto now = last.last(std::min<qsizetype>(linesOfNow, last.size()));
    const QByteArray lower = now.join('\n').toLower();
    hint.isCompiling =
        std::ranges::any_of(compileWords, [&](const char *word) { return lower.contains(word); });
    for (auto line = last.crbegin(); line != last.crend() && !hint.step; ++line)
        hint.step = stepOf(*line, reader);
    return hint;
}

struct StallDetector::Census {
    bool hasSteps = false; ///< Some rank prints steps: the silence of ranks without steps means nothing.
    int speakers = 0;      ///< Ranks whose silence counts …
    int silentSpeakers = 0;
    bool isAnybodyBusy = false;
    std::optional<qint64> heldSince; ///< Since when a process is held; nothing if none is.

    bool isSpeaker(const Watched &rank) const
    {
        return hasSteps ? rank.step && rank.growth.isGoing() : rank.growth.isKnown();
    }
};

StallDetector::Watched::Watched(const StallLimits &limits)
    : growth(leastGrowths, 2 * limits.afterMs)
{
}

StallDetector::StallDetector(const StallLimits &limits, int processes, Hints hints)
    : m_limits(limits)
    , m_hints(std::move(hints))
    , m_ranks(std::size_t(processes), Watched(limits))
{
}

/// Moves all signs over a time that was not observed: silence in it means nothing.
void StallDetector::moveClock(qint64 now)
{
    const qint64 passed = now - m_clock.value_or(now);
    m_clock = m_now = now;
    if (passed >= 0 && passed <= longestLookMs)
        return;
    for (Watched &rank : m_ranks) {
        rank.growth.shift(passed);
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
    rank.kind = Does::Starting;
    rank.growth.note(now);
}

void StallDetector::end(int process)
{
    if (at(process).heldSince)
        setHeld(process, false, m_now);
    at(process).kind = Does::Ended;
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
        if (rank.kind == Does::Stalled || rank.kind == Does::Held)
            rank.kind = Does::Working; // Until the next look.
        rank.growth.shift(now - rank.growth.last());
    }
}

void StallDetector::setSeen(int process, bool isSeen, qint64 now)
{
    moveClock(now);
    Watched &rank = at(process);
    // Its activity while it was not observed has no rhythm.
    if (isSeen && !rank.isSeen && rank.kind != Does::Stalled)
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

void StallDetector::place(int process, qint64 step)
{
    Watched &rank = at(process);
    // Many lines may be one sign, of a program that keeps them back; between two signs, it has gone on.
    rank.growth.endStart(rank.step && step > std::max<qint64>(*rank.step, 2));
    if (rank.step && step > *rank.step)
        rank.stride = step - *rank.step;
    rank.step = step;
}

bool StallDetector::isWatched(const Watched &rank)
{
    return rank.isSeen && !rank.heldSince && rank.kind != Does::Waiting && rank.kind != Does::Ended;
}

qint64 StallDetector::limit(const Watched &rank) const
{
    if (silence(rank) <= m_limits.afterMs)
        return m_limits.afterMs; // The short way for most calls: the rank is not silent for long.
    return wholeLimit(rank);
}

qint64 StallDetector::wholeLimit(const Watched &rank) const
{
    return std::max({m_limits.afterMs, rhythmTimes * rank.growth.usual(),
                     std::min(rank.growth.longest() * 3 / 2, m_limits.startMs())});
}

/// Returns true if the log's end was read in this silence; for a busy rank without a step, recently.
bool StallDetector::isAnswered(const Watched &rank) const
{
    if (!rank.askedAt)
        return false;
    if (silence(rank) > m_limits.afterMs)
        return *rank.askedAt > rank.growth.last() + m_limits.afterMs;
    return rank.step || m_now - *rank.askedAt < m_limits.startMs();
}

/// Reads the ends of the logs once a rank seems stalled. Returns false if some are left for the next look.
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
        const LogHint hint = m_hints(int(process));
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
    census.hasSteps =
        std::ranges::any_of(m_ranks, [](const Watched &rank) { return isWatched(rank) && rank.step; });
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
    if (rank.kind == Does::Stalled && !rank.hasGrown)
        return Does::Stalled; // A stalled rank stays so, even if others are held or compile.
    const qint64 silent = silence(rank);
    if (census.heldSince &&
        std::min(silent, m_now - *census.heldSince) >
            std::max(std::min(mostWaitMs, m_limits.afterMs), waitTimes * rank.growth.usual()))
        return Does::Stalled;
    if (rank.isCompiling && silent <= m_limits.startMs())
        return Does::Compiling;
    if (census.isSpeaker(rank)) {
        if (!isTooSilent(rank))
            return Does::Working;
        // Without steps, a rank that printed only while it started looks the same.
        const bool isTelling = rank.step || rank.growth.span() >= m_limits.startMs() ||
                               2 * census.silentSpeakers > census.speakers;
        return isTelling ? Does::Stalled : Does::Quiet;
    }
    if (census.speakers > 0)
        return silent > m_limits.afterMs ? Does::Quiet : Does::Working;
    return !census.isAnybodyBusy && silent > m_limits.startMs() * times(rank) ? Does::Stalled
                                                                              : Does::Starting;
}

bool StallDetector::look(qint64 now)
{
    moveClock(now);
    const auto isSuspect = [this](const Watched &rank) {
        return isWatched(rank) && rank.kind != Does::Stalled && isTooSilent(rank);
    };
    if (m_limits.afterMs <= 0 || (std::ranges::any_of(m_ranks, isSuspect) && !askLogs()))
        return false;
    const Census census = count();
    bool hasChanged = false;
    for (Watched &rank : m_ranks) {
        if (rank.heldSince)
            hasChanged = std::exchange(rank.kind, Does::Held) != Does::Held || hasChanged;
        if (!isWatched(rank))
            continue;
        const RankActivity::Kind kind = kindOf(rank, census);
        hasChanged = hasChanged || kind != rank.kind;
        rank.kind = kind;
        rank.hasGrown = false;
    }
    return hasChanged;
}

RankActivity StallDetector::activityOf(const Watched &rank, qint64 farthestStep) const
{
    RankActivity activity;
    const bool isOpen = rank.kind != Does::Waiting && rank.kind != Does::Ended;
    activity.kind =
        isOpen && !rank.isSeen && rank.kind != Does::Stalled && !rank.heldSince ? Does::Unseen : rank.kind;
    activity.since = rank.heldSince.value_or(rank.growth.last());
    activity.usualMs = rank.growth.isKnown() ? rank.growth.usual() : 0;
    activity.step = rank.step;
    // Ranks print the same step at different moments; stalled ones have printed all they had.
    const qint64 behind = activity.isAlive() && rank.step ? farthestStep - *rank.step : 0;
    activity.stepsBehind = activity.kind == Does::Stalled || behind > 2 * rank.stride ? behind : 0;
    return activity;
}

bool StallDetector::isStallNear(qint64 within) const
{
    return std::ranges::any_of(m_ranks, [&](const Watched &rank) {
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
