#include "collective/pairschedule.h"

#include <QHash>

#include <algorithm>
#include <bit>

namespace rankdeck
{

namespace
{

constexpr qsizetype mostForAllPairs = 32;
constexpr qsizetype mostForRanks = 128;
constexpr qsizetype mostForAllHosts = 128;

/// All pairs of 0 … count - 1 in the order of the circle method: one stays, the others go around it; each
/// turn gives count / 2 pairs without a common member.
std::vector<RankPair> inTurns(qsizetype count)
{
    std::vector<RankPair> pairs;
    const int size = static_cast<int>(count + count % 2); // With an odd count one has a turn off.
    for (int turn = 0; turn + 1 < size; ++turn) {
        for (int place = 0; place < size / 2; ++place) {
            const int one = place == 0 ? size - 1 : (turn + place) % (size - 1);
            const int other = (turn - place + size - 1) % (size - 1);
            const auto [from, to] = std::minmax(one, other);
            if (to < count)
                pairs.push_back({from, to});
        }
    }
    return pairs;
}

bool areDistantByAPowerOfTwo(const RankPair &pair, qsizetype count)
{
    const auto distance = static_cast<unsigned>(pair.to - pair.from);
    return std::has_single_bit(distance) || std::has_single_bit(static_cast<unsigned>(count) - distance);
}

/// Each pair in the first round that has neither of its ranks.
std::vector<std::vector<RankPair>> inRounds(const std::vector<RankPair> &pairs, qsizetype ranks)
{
    std::vector<std::vector<RankPair>> rounds;
    std::vector<std::vector<bool>> busy;
    for (const RankPair &pair : pairs) {
        const auto from = static_cast<std::size_t>(pair.from);
        const auto to = static_cast<std::size_t>(pair.to);
        std::size_t round = 0;
        while (round < rounds.size() && (busy[round][from] || busy[round][to]))
            ++round;
        if (round == rounds.size()) {
            rounds.emplace_back();
            busy.emplace_back(static_cast<std::size_t>(ranks));
        }
        rounds[round].push_back(pair);
        busy[round][from] = true;
        busy[round][to] = true;
    }
    return rounds;
}

} // namespace

std::vector<std::vector<RankPair>> pairRounds(const QList<QByteArray> &hosts)
{
    QHash<QByteArray, int> lastOn;
    QList<int> firsts;
    QList<int> before(hosts.size(), -1); // By rank: the one before it on its host.
    for (int rank = 0; rank < hosts.size(); ++rank) {
        const auto known = lastOn.constFind(hosts[rank]);
        if (known == lastOn.constEnd())
            firsts << rank;
        else
            before[rank] = *known;
        lastOn[hosts[rank]] = rank;
    }

    const bool isOneAHost = hosts.size() > mostForRanks;
    const qsizetype count = isOneAHost ? firsts.size() : hosts.size();
    std::vector<RankPair> wanted;
    for (const RankPair &pair : inTurns(count)) {
        if (isOneAHost) {
            if (count <= mostForAllHosts || areDistantByAPowerOfTwo(pair, count))
                wanted.push_back({firsts[pair.from], firsts[pair.to]});
        } else if (hosts.size() <= mostForAllPairs || hosts[pair.from] != hosts[pair.to] ||
                   before[pair.to] == pair.from) {
            wanted.push_back(pair);
        }
    }
    return inRounds(wanted, hosts.size());
}

} // namespace rankdeck
