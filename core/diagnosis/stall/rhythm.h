#pragma once

#include <QtGlobal>

#include <optional>
#include <vector>

namespace rankdeck
{

/// How long it usually takes from one sign of a process to the next. Times are ms by one clock. Takes the
/// same memory however many signs there were, some 350 bytes.
class Rhythm
{
public:
    /// @param leastGaps, leastSpanMs not known before so many gaps in so long a time: what a program prints
    /// while it starts comes in no rhythm.
    Rhythm(int leastGaps, qint64 leastSpanMs);

    /// A sign; none may be earlier than the one before.
    void note(qint64 now);
    /// Time that nobody watched: all signs are taken to be later, or earlier, by so much.
    void shift(qint64 byMs);

    bool hasSign() const { return m_hasSign; }
    /// Of the last sign; meaningful once there is one.
    qint64 last() const { return m_last; }
    /// From the first sign to the last, ms.
    qint64 span() const { return m_last - m_first; }
    /// How many gaps there were; thousands are not told apart.
    int gaps() const { return m_count; }
    bool isKnown() const { return m_count >= m_leastGaps && span() >= m_leastSpanMs; }
    /// Nine of ten of the last 64 gaps were no longer, ms. 0 while there is none.
    qint64 usual() const;
    /// The longest pause since the rhythm is known, ms: a checkpoint that is written now and then. Forgotten
    /// after some thousand others.
    qint64 longest() const { return qMax(m_longest, m_longestBefore); }

private:
    int m_leastGaps;
    qint64 m_leastSpanMs;
    bool m_hasSign = false;
    qint64 m_first = 0;
    qint64 m_last = 0;
    int m_count = 0;
    std::vector<quint32> m_gaps; ///< The last of them; the oldest is overwritten.
    mutable std::optional<qint64> m_usual;
    qint64 m_longest = 0;       ///< Of this generation of gaps …
    qint64 m_longestBefore = 0; ///< … and of the one before.
};

} // namespace rankdeck
