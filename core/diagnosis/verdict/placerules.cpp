#include "diagnosis/verdict/ruling.h"

#include "base/numberranges.h"

#include <csignal>

namespace rankdeck
{

/// Returns where a rank stands, or stood when it gave up waiting; null: that is not known.
static const PythonTrace *placeOf(const RankEvidence &rank)
{
    const auto gaveUp = std::ranges::find_if(rank.traces, &PythonTrace::isInCollective);
    const PythonTrace *trace = rank.stack ? &*rank.stack : gaveUp == rank.traces.end() ? nullptr : &*gaveUp;
    return trace && trace->userFrame ? trace : nullptr;
}

/// Decides for the rank that is in no collective while the others are in one, or that alone is at another
/// place of the program. placeOf() must know each of these ranks.
static std::optional<Ruling> byPlace(const Ranks &ranks, const char *name)
{
    Ranks free;
    QMap<QString, Ranks> places;
    for (const RankEvidence *rank : ranks) {
        if (!placeOf(*rank)->isInCollective)
            free.push_back(rank);
        places[frameWords(*placeOf(*rank)->userFrame)].push_back(rank);
    }
    if (free.size() == 1 && ranks.size() > 1)
        return ruling(name,
                      Sentence::tr("Rank %1 is in none of the collectives in which the others wait.")
                          .arg(free.front()->rank.value),
                      free.front(), ranks);
    const auto alone = std::ranges::find_if(places, [](const Ranks &there) { return there.size() == 1; });
    if (places.size() != 2 || ranks.size() < 3 || alone == places.end())
        return std::nullopt;
    return ruling(name,
                  Sentence::tr("Rank %1 stood in %2, the others elsewhere.")
                      .arg(alone->front()->rank.value)
                      .arg(alone.key()),
                  alone->front(), ranks);
}

/// The same for the ranks of a run that failed, by the tracebacks with which they gave up.
std::optional<Ruling> ruleByTracebacks(const Case &evidence)
{
    Ranks placed;
    for (const RankEvidence &rank : evidence.workers) {
        if (placeOf(rank))
            placed.push_back(&rank);
    }
    return evidence.stall ? std::nullopt : byPlace(placed, "place");
}

/// Decides for the rank that was in user code when a user interrupted a run that stood still.
std::optional<Ruling> ruleByInterrupt(const Case &evidence)
{
    Ranks inUserCode;
    Ranks inCollective;
    for (const RankEvidence &rank : evidence.workers) {
        const auto stopped = std::ranges::find_if(rank.traces, [](const PythonTrace &trace) {
            return trace.exception.startsWith("KeyboardInterrupt"_L1);
        });
        if (stopped != rank.traces.end())
            (stopped->isInCollective ? inCollective : inUserCode).push_back(&rank);
    }
    if (inUserCode.size() != 1 || inCollective.empty())
        return std::nullopt;
    return ruling(
        "interrupted",
        Sentence::tr("Rank %1 was not in a collective operation when the run was interrupted; the others "
                     "waited in one.")
            .arg(inUserCode.front()->rank.value),
        inUserCode.front(), inCollective);
}

/// Decides for the one rank that SIGINT ended while the others lost it at once.
std::optional<Ruling> ruleBySignal(const Case &evidence)
{
    Ranks interrupted;
    Ranks waiting;
    for (const RankEvidence *rank : thatSay(evidence, RankEvidence::Says::Waiting)) {
        const bool isInterrupted = std::ranges::any_of(rank->traces, [](const PythonTrace &trace) {
            return trace.exception.startsWith("KeyboardInterrupt"_L1);
        });
        (isInterrupted ? interrupted : waiting).push_back(rank);
    }
    const RankEvidence *alone = interrupted.size() == 1 ? interrupted.front() : nullptr;
    const bool isSignalled = alone && alone->status == ExitStatus{ExitStatus::Kind::Signalled, SIGINT};
    if (!isSignalled || alone->stopRequested || waiting.empty() || std::ranges::any_of(waiting, hasTimedOut))
        return std::nullopt;
    return ruling("interrupted",
                  Sentence::tr("Only rank %1 was interrupted; the others lost it.").arg(alone->rank.value),
                  alone, waiting);
}

std::optional<Ruling> ruleByStall(const Case &evidence)
{
    if (!evidence.stall)
        return std::nullopt;
    const auto workersAt = [&](const QList<int> &processes) {
        Ranks ranks;
        for (const RankEvidence &rank : evidence.workers) {
            if (processes.contains(rank.process))
                ranks.push_back(&rank);
        }
        return ranks;
    };
    const Sentence &sentence = evidence.stall->sentence;
    const Ranks named = workersAt(numbersFromRanges(evidence.stall->named).value_or(QList<int>()));
    if (named.size() == 1)
        return ruling("stalled", sentence, named.front(), {});
    const Ranks silent = workersAt(evidence.stall->silentSince.keys());
    const bool areAllPlaced =
        std::ranges::all_of(silent, [](const RankEvidence *rank) { return rank->stack && placeOf(*rank); });
    if (auto byStacks = areAllPlaced ? byPlace(silent, "stalled") : std::nullopt)
        return byStacks;
    return undecided("stalled", sentence, named.empty() ? silent : named, {});
}

} // namespace rankdeck
