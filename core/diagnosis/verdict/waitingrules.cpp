#include "diagnosis/verdict/ruling.h"

#include <QRegularExpression>

#include <map>

namespace rankdeck
{

namespace
{

using Says = RankEvidence::Says;

constexpr qint64 second = 1'000'000; ///< µs
/// µs by which a log must end before all others for its end to show when the rank fell silent.
constexpr qint64 tellingSilence = 5 * second;

/// Edges from each rank to the ranks it waits for or does not agree with.
class Graph
{
public:
    explicit Graph(const Case &evidence)
    {
        for (const RankEvidence &rank : evidence.workers) {
            if (rank.says() != Says::Nothing)
                add(evidence, rank, rank.peers());
        }
    }

    const Ranks &of(const RankEvidence *rank) const
    {
        static const Ranks none;
        const auto found = m_edges.find(rank);
        return found == m_edges.end() ? none : found->second;
    }
    bool isEmpty() const { return m_edges.empty(); }
    /// Returns the ranks that wait for themselves, through others.
    Ranks circle() const
    {
        Ranks found;
        for (const auto &[rank, others] : m_edges) {
            std::set<const RankEvidence *> seen;
            reach(rank, seen);
            if (seen.contains(rank))
                found.push_back(rank);
        }
        return found;
    }
    const std::map<const RankEvidence *, Ranks> &edges() const { return m_edges; }

private:
    void add(const Case &evidence, const RankEvidence &rank, const NamedPeers &peers)
    {
        std::set<int> named(peers.ranks.begin(), peers.ranks.end());
        for (const PeerPlace &place : peers.places) {
            if (const auto other = evidence.rankAt ? evidence.rankAt(place) : std::nullopt)
                named.insert(*other);
        }
        named.erase(rank.rank.value);
        for (const int each : named) {
            if (const RankEvidence *other = evidence.worker(each))
                m_edges[&rank].push_back(other);
        }
    }

    void reach(const RankEvidence *from, std::set<const RankEvidence *> &seen) const
    {
        for (const RankEvidence *other : of(from)) {
            if (seen.insert(other).second)
                reach(other, seen);
        }
    }

    std::map<const RankEvidence *, Ranks> m_edges;
};

/// Returns the rank with the highest count, or null if several have it.
const RankEvidence *most(const std::map<const RankEvidence *, int> &counts)
{
    const RankEvidence *best = nullptr;
    int bestCount = 0;
    bool isUnique = false;
    for (const auto &[rank, count] : counts) {
        if (count > bestCount) {
            best = rank;
            bestCount = count;
            isUnique = true;
        } else if (count == bestCount) {
            isUnique = false;
        }
    }
    return isUnique ? best : nullptr;
}

std::optional<Ruling> byMismatch(const Case &evidence, const Graph &graph)
{
    const Ranks disagreeing = thatSay(evidence, Says::Disagrees);
    if (disagreeing.empty())
        return std::nullopt;
    std::set<std::pair<const RankEvidence *, const RankEvidence *>> pairs;
    for (const RankEvidence *rank : disagreeing) {
        for (const RankEvidence *other : graph.of(rank))
            pairs.emplace(std::min(rank, other), std::max(rank, other));
    }
    std::map<const RankEvidence *, int> counts;
    for (const auto &[one, other] : pairs) {
        ++counts[one];
        ++counts[other];
    }
    if (const RankEvidence *root = pairs.size() > 1 ? most(counts) : nullptr)
        return ruling("mismatch",
                      Sentence::tr("Rank %1 does not agree with the others, which agree among themselves.")
                          .arg(root->rank.value),
                      root, disagreeing);
    Ranks candidates;
    for (const auto &[rank, count] : counts)
        candidates.push_back(rank);
    if (candidates.empty() &&
        disagreeing.size() > 1) // One alone tells of another one, whom it does not name.
        candidates = disagreeing;
    return undecided("mismatch",
                     Sentence::tr("Ranks do not agree. The evidence does not show which of them is wrong."),
                     candidates, disagreeing);
}

/// Decides for the rank that never came to the scheduler.
std::optional<Ruling> byAbsence(const Case &evidence)
{
    Ranks absent;
    for (const int rank : evidence.absent) {
        if (const RankEvidence *worker = evidence.worker(rank))
            absent.push_back(worker);
    }
    if (absent.empty())
        return std::nullopt;
    Ranks witnesses = thatSay(evidence, Says::Waiting);
    if (evidence.scheduler)
        witnesses.insert(witnesses.begin(), &*evidence.scheduler);
    if (absent.size() == 1)
        return ruling("absent",
                      Sentence::tr("Rank %1 never registered with the scheduler; the others waited for it.")
                          .arg(absent.front()->rank.value),
                      absent.front(), witnesses);
    return undecided("absent",
                     Sentence::tr("Ranks %1 never registered with the scheduler; the others waited for them.")
                         .arg(listOf(absent)),
                     absent, witnesses);
}

/// Decides by a scheduler, heartbeat or failed transfer that names the missing rank.
std::optional<Ruling> byName(const Case &evidence)
{
    std::set<const RankEvidence *> named;
    Ranks witnesses;
    if (evidence.scheduler) {
        for (const int rank : evidence.scheduler->peers().ranks) {
            if (const RankEvidence *worker = evidence.worker(rank))
                named.insert(worker);
        }
        if (!named.empty())
            witnesses.push_back(&*evidence.scheduler);
    }
    for (const RankEvidence &rank : evidence.workers) {
        for (const PeerPlace &place : rank.peers().places) {
            const auto other = evidence.rankAt ? evidence.rankAt(place) : std::nullopt;
            const RankEvidence *worker = other ? evidence.worker(*other) : nullptr;
            if (!worker || worker == &rank)
                continue;
            named.insert(worker);
            witnesses.push_back(&rank);
        }
    }
    // Both ends of a failed transfer may name each other.
    if (named.size() != 1)
        return std::nullopt;
    const RankEvidence *root = *named.begin();
    return ruling("named",
                  Sentence::tr("Other ranks report that rank %1 is gone, and it shows no error of its own.")
                      .arg(root->rank.value),
                  root, witnesses);
}

const RankEvidence *silentLongest(const Ranks &ranks)
{
    // A log without stamps does not show when the rank fell silent.
    const auto isUndated = [](const RankEvidence *rank) {
        return rank->logBytes > 0 && !rank->lastTime;
    };
    if (ranks.empty() || std::ranges::any_of(ranks, isUndated))
        return nullptr;
    const auto wasSilentBefore = [](const RankEvidence *one, const RankEvidence *other) {
        if (one->logBytes == 0 || other->logBytes == 0)
            return one->logBytes == 0 && other->logBytes > 0;
        return *one->lastTime < *other->lastTime;
    };
    const RankEvidence *const first = *std::ranges::min_element(ranks, wasSilentBefore);
    const bool standsOut = std::ranges::all_of(ranks, [&](const RankEvidence *rank) {
        if (rank == first)
            return true;
        return rank->logBytes > 0 &&
               (first->logBytes == 0 || rank->lastTime->value - first->lastTime->value >= tellingSilence);
    });
    return standsOut ? first : nullptr;
}

/// Returns the ranks at the ends of waiting chains, which do not wait themselves.
Ranks endsOf(const Graph &graph)
{
    std::set<const RankEvidence *> ends;
    for (const auto &[rank, others] : graph.edges()) {
        for (const RankEvidence *other : others) {
            if (graph.of(other).empty() && other->says() != Says::Waiting)
                ends.insert(other);
        }
    }
    return {ends.begin(), ends.end()};
}

std::optional<Ruling> byGraph(const Case &evidence, const Graph &graph)
{
    if (graph.isEmpty())
        return std::nullopt;
    const Ranks waiting = thatSay(evidence, Says::Waiting);
    const Ranks ends = endsOf(graph);
    if (ends.size() == 1)
        return ruling(
            "wait-graph",
            Sentence::tr(
                "The other ranks wait for rank %1, directly or through each other, and it waits for none.")
                .arg(ends.front()->rank.value),
            ends.front(), waiting);
    if (ends.empty())
        return std::nullopt;
    if (const RankEvidence *first = silentLongest(ends))
        return ruling("wait-graph",
                      Sentence::tr("Ranks wait for %1; among these, rank %2 was silent first.")
                          .arg(listOf(ends))
                          .arg(first->rank.value),
                      first, waiting);
    return undecided(
        "wait-graph",
        Sentence::tr("Ranks wait for %1, which show no error. The evidence does not tell them apart.")
            .arg(listOf(ends)),
        ends, waiting);
}

/// Decides for the one rank that found the connection closed where all others timed out: it came too late.
std::optional<Ruling> byClosedConnection(const Case &evidence)
{
    static const QRegularExpression closed(u"closed by (?:remote )?peer|reset by peer|broken pipe"
                                           "|connection (?:was )?(?:closed|reset|refused)"_s,
                                           QRegularExpression::CaseInsensitiveOption);
    Ranks late;
    const Ranks waiting = thatSay(evidence, Says::Waiting);
    for (const RankEvidence *rank : waiting) {
        const QString &text = rank->firstError()->text;
        if (text.contains(closed))
            late.push_back(rank);
        else if (!hasTimedOut(rank))
            return std::nullopt;
    }
    if (late.size() != 1 || waiting.size() < evidence.workers.size() || waiting.size() < 2)
        return std::nullopt;
    return ruling("late",
                  Sentence::tr("Rank %1 came late: the others had given up and closed the connection.")
                      .arg(late.front()->rank.value),
                  late.front(), waiting);
}

/// Decides for a rank that began to wait only after the others had timed out.
std::optional<Ruling> byLateness(const Case &evidence)
{
    if (auto byWords = byClosedConnection(evidence))
        return byWords;
    const Ranks waiting = thatSay(evidence, Says::Waiting);
    const RankEvidence *latest = nullptr;
    std::optional<LogTime> next;
    std::optional<LogTime> earliest;
    for (const RankEvidence *rank : waiting) {
        const auto time = rank->failed();
        if (!time)
            return std::nullopt;
        earliest = earliest ? std::min(*earliest, *time) : *time;
        if (!latest || *latest->failed() < *time) {
            if (latest)
                next = latest->failed();
            latest = rank;
        } else if (!next || *next < *time) {
            next = time;
        }
    }
    // A late rank waits as long as the others did.
    const qint64 timeout = evidence.connectTimeout * second;
    if (!latest || !next || latest->failed()->value - next->value < timeout / 2)
        return std::nullopt;
    return ruling("late",
                  Sentence::tr("Rank %1 came late: it began to wait when the others were giving up.")
                      .arg(latest->rank.value),
                  latest, waiting);
}

std::optional<Ruling> byOperations(const Case &evidence)
{
    std::map<const RankEvidence *, int> behind;
    std::optional<qint64> least;
    std::optional<qint64> greatest;
    for (const RankEvidence &rank : evidence.workers) {
        for (const ErrorLine &error : rank.errors) {
            if (!error.operation)
                continue;
            greatest = std::max(greatest.value_or(*error.operation), *error.operation);
            if (!least || *error.operation < *least)
                behind.clear();
            least = std::min(least.value_or(*error.operation), *error.operation);
            if (*error.operation == *least)
                behind[&rank] = 1;
            break;
        }
    }
    if (behind.size() != 1 || *least == *greatest)
        return std::nullopt;
    const RankEvidence *root = behind.begin()->first;
    return ruling("behind",
                  Sentence::tr("Rank %1 had begun collective operation %2 when others were at %3.")
                      .arg(root->rank.value)
                      .arg(*least)
                      .arg(*greatest),
                  root, thatSay(evidence, Says::Waiting));
}

/// Decides for the one rank that was in another operation.
std::optional<Ruling> byOperationNames(const Case &evidence)
{
    std::map<QString, Ranks> byName;
    for (const RankEvidence &rank : evidence.workers) {
        const auto named = std::ranges::find_if(
            rank.errors, [](const ErrorLine &error) { return !error.operationName.isEmpty(); });
        if (named != rank.errors.end())
            byName[named->operationName].push_back(&rank);
    }
    if (byName.size() != 2)
        return std::nullopt;
    const auto &[oneName, one] = *byName.begin();
    const auto &[otherName, other] = *byName.rbegin();
    const bool isFirstFewer = one.size() < other.size();
    const Ranks &fewer = isFirstFewer ? one : other;
    const Ranks &more = isFirstFewer ? other : one;
    if (fewer.size() != 1 || more.size() < 2)
        return std::nullopt;
    return ruling("mismatch",
                  Sentence::tr("Only rank %1 was in %2, the others were in %3.")
                      .arg(fewer.front()->rank.value)
                      .arg(isFirstFewer ? oneName : otherName, isFirstFewer ? otherName : oneName),
                  fewer.front(), more);
}

std::optional<Ruling> bySilence(const Case &evidence)
{
    const Ranks waiting = thatSay(evidence, Says::Waiting);
    Ranks silent = thatSay(evidence, Says::Nothing);
    // One that its launcher ended had no time to say anything, unless the others had waited for long.
    Ranks left = silent;
    if (std::ranges::none_of(waiting, hasTimedOut))
        std::erase_if(left, [](const RankEvidence *rank) { return rank->stopRequested; });
    const bool areSomeLeftOut = !left.empty() && left.size() < silent.size();
    silent = areSomeLeftOut ? left : silent;
    // Where ranks do not agree, one that says nothing need not be the one that is wrong.
    if (waiting.empty() || silent.empty() || !thatSay(evidence, Says::Disagrees).empty())
        return std::nullopt;
    if (silent.size() == 1)
        return ruling(
            "silent",
            (areSomeLeftOut
                 ? Sentence::tr("Rank %1 shows no error and was not ended by its launcher; others lost it.")
                 : Sentence::tr("Only rank %1 shows no error; all others waited in vain."))
                .arg(silent.front()->rank.value),
            silent.front(), waiting);
    if (const RankEvidence *first = silentLongest(silent))
        return ruling("silent",
                      Sentence::tr("Ranks %1 show no error while others waited; rank %2 fell silent first.")
                          .arg(listOf(silent))
                          .arg(first->rank.value),
                      first, waiting);
    return undecided(
        "silent",
        Sentence::tr("Ranks %1 show no error while others waited. The evidence does not tell them apart.")
            .arg(listOf(silent)),
        silent, waiting);
}

} // namespace

std::optional<Ruling> ruleByRecorders(const Case &evidence)
{
    if (!evidence.collectives || evidence.collectives->findings.isEmpty())
        return std::nullopt;
    const Sentence reason = evidence.collectives->findings.first();
    Ranks suspects;
    for (const int rank : evidence.collectives->suspects) {
        if (const RankEvidence *worker = evidence.worker(rank))
            suspects.push_back(worker);
    }
    // A rank that timed out waiting may have exited without a dump.
    const auto hasWaited = [&](const RankEvidence *rank) {
        return rank->says() == Says::Waiting && !evidence.collectives->hasDump(rank->rank.value);
    };
    if (!std::ranges::all_of(suspects, hasWaited))
        std::erase_if(suspects, hasWaited);
    if (suspects.empty())
        return std::nullopt;
    const Ranks waiting = thatSay(evidence, Says::Waiting);
    return suspects.size() == 1 ? ruling("collectives", reason, suspects.front(), waiting)
                                : undecided("collectives", reason, suspects, waiting);
}

std::optional<Ruling> ruleByWaiting(const Case &evidence)
{
    const Graph graph(evidence);
    std::optional<Ruling> best;
    for (const auto &found :
         {byAbsence(evidence), byMismatch(evidence, graph), byName(evidence), byGraph(evidence, graph),
          ruleByTracebacks(evidence), byLateness(evidence), byOperations(evidence),
          byOperationNames(evidence), ruleBySignal(evidence), bySilence(evidence)}) {
        if (found && found->root)
            return found;
        if (found && (!best || found->candidates.size() < best->candidates.size()))
            best = found;
    }
    if (best)
        return best;
    Ranks failed;
    for (const RankEvidence &rank : evidence.workers) {
        if (rank.says() != Says::Nothing)
            failed.push_back(&rank);
    }
    if (failed.empty())
        return std::nullopt;
    const Ranks circle = graph.circle();
    return undecided(
        "undecided",
        Sentence::tr("The ranks wait for each other. The evidence does not show which rank caused it."),
        circle.empty() ? failed : circle, failed);
}

} // namespace rankdeck
