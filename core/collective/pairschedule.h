#pragma once

#include <QByteArray>
#include <QList>

#include <vector>

namespace rankdeck
{

struct RankPair {
    int from = 0; ///< The smaller one.
    int to = 0;
    bool operator==(const RankPair &) const = default;
};

/// Which pairs of ranks are measured, in rounds: in each a rank is in one pair at most, so that pairs do not
/// disturb each other more than they must. Up to 32 ranks these are all pairs. Up to 128 ranks, those of
/// ranks on different hosts and, on a host, of each rank and the next there. Beyond, those of the first ranks
/// of hosts; of more than 128 hosts each with those 1, 2, 4, … places after it.
/// @param hosts by rank: what ranks on one host have in common.
std::vector<std::vector<RankPair>> pairRounds(const QList<QByteArray> &hosts);

} // namespace rankdeck
