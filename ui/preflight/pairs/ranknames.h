#pragma once

#include <QList>
#include <QStringList>

namespace rankdeck
{

/// What the ranks of a self-test are in the launch that it stands for, by the self-test's rank.
struct RankNames {
    QStringList nodes; ///< Empty where they are not known.
    QList<int> ranks;  ///< The launch's rank of each; empty: they are the same.

    int rank(int rank) const { return ranks.value(rank, rank); }
    QList<int> ranksOf(const QList<int> &all) const
    {
        QList<int> named;
        for (const int each : all)
            named.append(rank(each));
        return named;
    }
    bool operator==(const RankNames &) const = default;
};

} // namespace rankdeck
