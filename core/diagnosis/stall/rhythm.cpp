#include "diagnosis/stall/rhythm.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace rankdeck
{

namespace
{

constexpr int keptGaps = 64;
constexpr int generationGaps = 4096;

} // namespace

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
        m_gaps.push_back(static_cast<quint32>(gap));
    else
        m_gaps[static_cast<std::size_t>(m_count % keptGaps)] = static_cast<quint32>(gap);
    // The count stays a multiple of the ring, and above any least one, when it begins anew.
    if (++m_count >= 2 * generationGaps) {
        m_count = generationGaps;
        m_longestBefore = std::exchange(m_longest, 0);
    }
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
        const auto tenth = gaps.begin() + static_cast<qsizetype>(gaps.size() * 9 / 10);
        std::nth_element(gaps.begin(), tenth, gaps.end());
        m_usual = *tenth;
    }
    return *m_usual;
}

} // namespace rankdeck
