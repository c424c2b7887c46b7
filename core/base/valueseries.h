#pragma once

#include "base/tr.h"

#include <QtGlobal>

#include <vector>

namespace rankdeck
{

/// A value against the step, or the time in ms, for any number of steps in bounded memory: keeps the smallest
/// and the largest value of each bucket of steps. Buckets grow as steps are added.
class ValueSeries
{
public:
    struct Bucket {
        float least = 0; ///< Smallest of `count` values.
        float most = 0;
        float last = 0;
        quint32 count = 0;
        quint32 odd = 0; ///< Number of values that are not numbers, or infinite.

        bool isEmpty() const { return count == 0 && odd == 0; }
        bool operator==(const Bucket &) const = default;
    };

    static constexpr int manyBuckets = 1024;

    /// @param most buckets, 2 or more; 20 bytes each.
    explicit ValueSeries(int most = manyBuckets)
        : m_most(most)
    {
    }

    /// Adds a value; steps come in any order, and may come again. @param step 0 or more.
    void add(qint64 step, double value);

    /// Allows only so many buckets from now on, 2 or more.
    void limit(int most);

    /// Returns the series without the buckets that begin after this step.
    ValueSeries until(qint64 step) const;

    bool isEmpty() const { return m_buckets.empty(); }
    int size() const { return static_cast<int>(m_buckets.size()); }
    const Bucket &at(int bucket) const { return m_buckets[static_cast<std::size_t>(bucket)]; }
    /// Returns the first step of a bucket; `bucket` may be size().
    qint64 stepOf(int bucket) const { return m_begin + bucket * m_width; }
    /// Steps of a bucket.
    qint64 width() const { return m_width; }

    bool operator==(const ValueSeries &) const = default;

    /// Passes all that it consists of to `visit`, to be written or read.
    template <typename Visitor>
    void visitParts(Visitor &&visit)
    {
        visit(m_most, m_begin, m_width, m_buckets);
    }
    /// Returns false if its parts were read and no values lead to them.
    /// @param most buckets that it may have.
    bool isSound(int most) const;

private:
    void reach(qint64 step);
    void coarsen();

    int m_most;
    std::vector<Bucket> m_buckets;
    qint64 m_begin = 0; ///< A multiple of m_width.
    qint64 m_width = 1;
};

} // namespace rankdeck
