#pragma once

#include "base/tr.h"

#include <QList>
#include <QStringList>

namespace rankdeck
{

/// The nodes and the launch's ranks of a self-test's ranks, by rank of the self-test.
struct RankNames {
    QStringList nodes; ///< Empty if unknown.
    QList<int> ranks;  ///< Empty if both count alike.

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
