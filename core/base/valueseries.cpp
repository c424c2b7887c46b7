#include "base/valueseries.h"

#include <algorithm>
#include <cmath>

namespace rankdeck
{

static void merge(ValueSeries::Bucket &into, const ValueSeries::Bucket &other)
{
    if (other.count > 0) {
        into.least = into.count > 0 ? std::min(into.least, other.least) : other.least;
        into.most = into.count > 0 ? std::max(into.most, other.most) : other.most;
        into.last = other.last;
    }
    into.count += other.count;
    into.odd += other.odd;
}

void ValueSeries::add(qint64 step, double value)
{
    reach(step);
    const auto number = static_cast<float>(value);
    Bucket bucket{number, number, number, 1, 0};
    if (!std::isfinite(number))
        bucket = {0, 0, 0, 0, 1};
    merge(m_buckets[static_cast<std::size_t>((step - m_begin) / m_width)], bucket);
}

/// Makes a bucket for this step.
void ValueSeries::reach(qint64 step)
{
    if (m_buckets.empty()) {
        m_begin = step;
        m_buckets.emplace_back();
        return;
    }
    while (step >= m_begin + m_width * m_most || stepOf(size()) - step / m_width * m_width > m_width * m_most)
        coarsen();
    if (step < m_begin) {
        const qint64 before = m_begin / m_width - step / m_width;
        m_buckets.insert(m_buckets.begin(), static_cast<std::size_t>(before), Bucket());
        m_begin -= before * m_width;
    }
    const auto bucket = static_cast<std::size_t>((step - m_begin) / m_width);
    if (bucket >= m_buckets.size())
        m_buckets.resize(bucket + 1);
}

/// Merges each two buckets into one.
void ValueSeries::coarsen()
{
    const bool isOdd = m_begin / m_width % 2 != 0;
    std::vector<Bucket> coarse((m_buckets.size() + (isOdd ? 1 : 0) + 1) / 2);
    for (std::size_t bucket = 0; bucket < m_buckets.size(); ++bucket)
        merge(coarse[(bucket + (isOdd ? 1 : 0)) / 2], m_buckets[bucket]);
    if (isOdd)
        m_begin -= m_width;
    m_width *= 2;
    m_buckets = std::move(coarse);
}

void ValueSeries::limit(int most)
{
    m_most = most;
    while (size() > most)
        coarsen();
}

bool ValueSeries::isSound(int most) const
{
    constexpr qint64 farthest = qint64(1) << 61;
    const bool hasWidth =
        m_width > 0 && m_width <= farthest / std::max(most, 1) && (m_width & (m_width - 1)) == 0;
    return m_most == most && hasWidth && m_begin >= 0 && m_begin <= farthest && m_begin % m_width == 0 &&
           m_buckets.size() <= static_cast<std::size_t>(std::max(most, 0));
}

ValueSeries ValueSeries::until(qint64 step) const
{
    ValueSeries series = *this;
    const qint64 kept = step < m_begin ? 0 : (step - m_begin) / m_width + 1;
    if (kept < size())
        series.m_buckets.resize(static_cast<std::size_t>(kept));
    return series;
}

} // namespace rankdeck
