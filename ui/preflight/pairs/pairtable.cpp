#include "preflight/pairs/pairtable.h"

#include "base/listcomma.h"

#include <QLocale>
#include <QSet>

#include <algorithm>
#include <numeric>

namespace rankdeck
{

constexpr double roundFrom = 10; ///< Smaller numbers have one decimal.

static std::pair<int, int> keyOf(int one, int other)
{
    return std::minmax(one, other);
}

/// Makes all other values equal, so that only this one can be odd.
static std::vector<PairResult> measuredBy(PairMeasure measure, std::vector<PairResult> pairs)
{
    for (PairResult &pair : pairs) {
        if (!pair.problem.isEmpty())
            continue;
        if (measure == PairMeasure::Latency)
            pair.thereMBs = pair.backMBs = 1;
        else
            pair.latencyUs = 1;
    }
    return pairs;
}

static double valueOf(const PairResult &pair, int from, PairMeasure measure)
{
    if (measure == PairMeasure::Latency)
        return pair.latencyUs;
    return from == pair.from ? pair.thereMBs : pair.backMBs;
}

QString shortNumber(double value)
{
    if (value < roundFrom)
        return QString::number(value, 'f', 1);
    if (value < 9'999.5)
        return QString::number(value, 'f', 0);
    if (value < 999'500)
        return QString::number(value / 1e3, 'f', 0) + 'k'_L1;
    return value < 999.5e6 ? QString::number(value / 1e6, 'f', 0) + 'M'_L1 : u">1G"_s;
}

QString wordedNumber(double value)
{
    return QLocale(QLocale::English).toString(value, 'f', value < roundFrom ? 1 : 0);
}

PairTable::Odd::Odd(std::vector<OddPair> some)
    : pairs(std::move(some))
{
    for (std::size_t odd = 0; odd < pairs.size(); ++odd)
        places.insert(keyOf(pairs[odd].pair.from, pairs[odd].pair.to), odd);
}

PairTable::PairTable(int worldSize, const std::vector<PairResult> &pairs, RankNames names)
    : m_names(std::move(names))
    , m_odd(oddPairs(pairs))
    , m_oddLatency(oddPairs(measuredBy(PairMeasure::Latency, pairs)))
    , m_oddBandwidth(oddPairs(measuredBy(PairMeasure::Bandwidth, pairs)))
{
    QSet<int> measured;
    for (const PairResult &pair : pairs) {
        if (pair.from < 0 || pair.to >= worldSize || pair.from >= pair.to)
            continue;
        m_pairOf.insert({pair.from, pair.to}, m_pairs.size());
        m_pairs.push_back(pair);
        measured << pair.from << pair.to;
    }
    if (worldSize <= manyRanks) {
        m_ranks.resize(worldSize);
        std::iota(m_ranks.begin(), m_ranks.end(), 0);
    } else {
        m_ranks = measured.values();
        std::ranges::sort(m_ranks);
    }
    m_hasNodes = QSet<QString>(m_names.nodes.begin(), m_names.nodes.end()).size() > 1;
}

const PairResult *PairTable::pair(int row, int column) const
{
    const auto found = m_pairOf.constFind(keyOf(m_ranks.value(row, -1), m_ranks.value(column, -1)));
    return found == m_pairOf.constEnd() ? nullptr : &m_pairs[*found];
}

PairCell PairTable::cell(int row, int column, PairMeasure measure) const
{
    if (row == column)
        return {PairCell::Kind::Diagonal};
    const PairResult *its = pair(row, column);
    if (!its)
        return {PairCell::Kind::Unmeasured};
    const bool isOdd = oddBy(measure).places.contains({its->from, its->to});
    if (!its->problem.isEmpty())
        return {PairCell::Kind::Problem, 0, isOdd};
    return {PairCell::Kind::Measured, valueOf(*its, m_ranks.at(row), measure), isOdd};
}

QString PairTable::title(int rank) const
{
    const QString name = tr("rank %1").arg(m_names.rank(rank));
    const QString node = m_hasNodes ? m_names.nodes.value(rank) : QString();
    return node.isEmpty() ? name : tr("%1 (%2)", "rank 3 (node2)").arg(name, node);
}

QString PairTable::words(int row, int column) const
{
    if (row < 0 || column < 0 || row >= count() || column >= count())
        return {};
    const QString from = title(m_ranks.at(row));
    if (row == column)
        return from;
    const QString both = tr("%1 – %2", "two ranks").arg(from, title(m_ranks.at(column)));
    const PairResult *its = pair(row, column);
    if (!its)
        return tr("%1: not measured").arg(both);
    if (!its->problem.isEmpty())
        return tr("%1: × %2", "two ranks, and what is wrong").arg(both, its->problem);
    const int rank = m_ranks.at(row);
    const QString figures = tr("%1: %2 us, %3 MB/s there, %4 MB/s back")
                                .arg(both, wordedNumber(its->latencyUs),
                                     wordedNumber(valueOf(*its, rank, PairMeasure::Bandwidth)),
                                     wordedNumber(valueOf(*its, m_ranks.at(column), PairMeasure::Bandwidth)));
    const auto odd = m_odd.places.constFind({its->from, its->to});
    return odd == m_odd.places.constEnd() ? figures : figures + listSemicolon() + m_odd.pairs[*odd].why;
}

std::pair<double, double> PairTable::range(PairMeasure measure) const
{
    double least = 0;
    double most = 0;
    for (const PairResult &pair : m_pairs) {
        if (!pair.problem.isEmpty())
            continue;
        for (const int from : {pair.from, pair.to}) {
            const double value = valueOf(pair, from, measure);
            least = least > 0 && (least < value || value <= 0) ? least : value;
            most = std::max(most, value);
        }
    }
    return {least, most};
}

std::pair<int, int> PairTable::oddPlace(int odd, PairMeasure measure) const
{
    const PairResult &pair = oddBy(measure).pairs.at(std::size_t(odd)).pair;
    return {int(m_ranks.indexOf(pair.from)), int(m_ranks.indexOf(pair.to))};
}

QString PairTable::text(PairMeasure measure) const
{
    QStringList header{measure == PairMeasure::Latency ? tr("us") : tr("MB/s")};
    for (const int rank : m_ranks)
        header << QString::number(m_names.rank(rank));
    QStringList lines{header.join('\t'_L1)};
    for (int row = 0; row < count(); ++row) {
        QStringList line{QString::number(rank(row))};
        for (int column = 0; column < count(); ++column) {
            const PairCell its = cell(row, column, measure);
            line << (its.kind == PairCell::Kind::Measured  ? QString::number(its.value, 'f', 1)
                     : its.kind == PairCell::Kind::Problem ? u"x"_s
                                                           : QString());
        }
        lines << line.join('\t'_L1);
    }
    return lines.join('\n'_L1) + '\n'_L1;
}

} // namespace rankdeck
