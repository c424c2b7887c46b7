#pragma once

#include "collective/selftest.h"
#include "preflight/ranknames.h"

#include <QHash>
#include <QList>
#include <QString>

namespace rankdeck
{

/// What of a pair is shown.
enum class PairMeasure {
    Latency,   ///< us, the same both ways.
    Bandwidth, ///< MB/s from the row's rank to the column's.
};

/// What stands in one cell of a matrix of ranks. Comparing two of them says whether it has to be drawn again.
struct PairCell {
    enum class Kind { Diagonal, Unmeasured, Measured, Problem };

    Kind kind = Kind::Unmeasured;
    double value = 0;   ///< Of Measured.
    bool isOdd = false; ///< The pair stands out by what is shown.
    bool operator==(const PairCell &) const = default;
};

/// The pairs of a self-test as a table of ranks, and what each of its cells says. Of a launch with many ranks
/// only those that have been measured have a row.
class PairTable
{
public:
    /// Up to so many ranks all have a row.
    static constexpr int manyRanks = 64;

    PairTable() = default;
    PairTable(int worldSize, const std::vector<PairResult> &pairs, RankNames names);

    /// Of the self-test, for each row and column, ascending.
    const QList<int> &ranks() const { return m_ranks; }
    /// What the launch numbers a row's rank.
    int rank(int row) const { return m_names.rank(m_ranks.at(row)); }
    int count() const { return static_cast<int>(m_ranks.size()); }
    bool isMeasured() const { return !m_pairs.empty(); }
    /// The node of a row; empty where it is not known, or all ranks are on one.
    QString node(int row) const;
    bool hasNodes() const { return m_hasNodes; }

    PairCell cell(int row, int column, PairMeasure measure) const;
    /// "rank 0 – rank 3: 21 us, 3,100 MB/s there, 2,900 MB/s back; its latency is 12 times the usual".
    QString words(int row, int column) const;
    /// Smallest and largest that was measured; 0 and 0: nothing was.
    std::pair<double, double> range(PairMeasure measure) const;
    /// How many pairs stand out by what is shown, and the row and column of one, worst first.
    int oddCount(PairMeasure measure) const { return static_cast<int>(oddBy(measure).pairs.size()); }
    std::pair<int, int> oddPlace(int odd, PairMeasure measure) const;
    /// Tab-separated, ranks in the first row and column; of a cell without a value "x" or nothing.
    QString text(PairMeasure measure) const;

private:
    /// Those that stand out, and where each is among them, by smaller and larger rank.
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
    Odd m_odd; ///< By whatever.
    Odd m_oddLatency;
    Odd m_oddBandwidth;
    QHash<std::pair<int, int>, std::size_t> m_pairOf; ///< By smaller and larger rank.
};

/// As a cell has room for it: "8.3", "123", "3100", "12k"; 4 characters at most.
QString shortNumber(double value);
/// As a sentence has it: "8.3", "123", "3,100".
QString wordedNumber(double value);

} // namespace rankdeck
