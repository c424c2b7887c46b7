#pragma once

#include "collective/selftest/selftest.h"

#include <QHash>

namespace rankdeck
{

/// The nodes and the launch's ranks of a self-test's ranks, by rank of the self-test.
struct RankNames {
    QStringList nodes; ///< Empty if unknown.
    QList<int> ranks;  ///< Empty if both count alike.

    int rank(int rank) const { return ranks.value(rank, rank); }
    QList<int> ranksOf(const QList<int> &all) const
    {
        return listOf(all, [&](int each) { return rank(each); });
    }
    bool operator==(const RankNames &) const = default;
};

/// The measured value that is shown.
enum class PairMeasure {
    Latency,   ///< us, the same both ways.
    Bandwidth, ///< MB/s from the row's rank to the column's.
};

/// The content of a cell in a matrix of ranks; a changed one is drawn again.
struct PairCell {
    enum class Kind { Diagonal, Unmeasured, Measured, Problem };

    Kind kind = Kind::Unmeasured;
    double value = 0;   ///< Value of a Measured cell.
    bool isOdd = false; ///< The shown value stands out.
    bool operator==(const PairCell &) const = default;
};

/// The pairs of a self-test as a table of ranks. With many ranks only measured ones have a row.
class PairTable
{
public:
    /// Up to this number of ranks, all have a row.
    static constexpr int manyRanks = 64;

    PairTable() = default;
    PairTable(int worldSize, const std::vector<PairResult> &pairs, RankNames names);

    /// The self-test's ranks of the rows and columns, ascending.
    const QList<int> &ranks() const { return m_ranks; }
    /// The launch's rank of a row.
    int rank(int row) const { return m_names.rank(m_ranks.at(row)); }
    int count() const { return int(m_ranks.size()); }
    bool isMeasured() const { return !m_pairs.empty(); }
    /// The node of a row; empty if unknown, or if all ranks are on one node.
    QString node(int row) const
    {
        return m_hasNodes ? m_names.nodes.value(m_ranks.value(row, -1)) : QString();
    }
    bool hasNodes() const { return m_hasNodes; }

    PairCell cell(int row, int column, PairMeasure measure) const;
    /// Returns "rank 0 – rank 3: 21 us, 3,100 MB/s there, 2,900 MB/s back; its latency is 12 times the
    /// usual".
    QString words(int row, int column) const;
    /// Returns the smallest and the largest measured value; 0 and 0 if there is none.
    std::pair<double, double> range(PairMeasure measure) const;
    // The number of odd pairs, and the row and column of one, worst first.
    int oddCount(PairMeasure measure) const { return int(oddBy(measure).pairs.size()); }
    std::pair<int, int> oddPlace(int odd, PairMeasure measure) const;
    /// Returns the table, tab-separated, with ranks in the first row and column; "x" for a failed pair.
    QString text(PairMeasure measure) const;

private:
    /// The odd pairs, and the index of each by smaller and larger rank.
    struct Odd {
        std::vector<OddPair> pairs;
        QHash<std::pair<int, int>, std::size_t> places;

        Odd() = default;
        explicit Odd(std::vector<OddPair> some);
    };

    const Odd &oddBy(PairMeasure measure) const
    {
        return measure == PairMeasure::Latency ? m_oddLatency : m_oddBandwidth;
    }
    const PairResult *pair(int row, int column) const;
    QString title(int rank) const;

    QList<int> m_ranks;
    RankNames m_names;
    bool m_hasNodes = false;
    std::vector<PairResult> m_pairs;
    Odd m_odd; ///< By any value.
    Odd m_oddLatency;
    Odd m_oddBandwidth;
    QHash<std::pair<int, int>, std::size_t> m_pairOf; ///< By smaller and larger rank.
};

/// Returns a number for a cell: "8.3", "123", "3100", "12k"; at most 4 characters.
QString shortNumber(double value);
/// Returns a number for a sentence: "8.3", "123", "3,100".
QString wordedNumber(double value);

} // namespace rankdeck
