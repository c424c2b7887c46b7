#pragma once

#include "run/samples/runsamples.h"

#include <QDateTime>
#include <QHash>

namespace rankdeck
{

/// Whether what was sampled of something may still be taken for how it is. A value.
class SampleAge
{
public:
    /// Sampling is never more often, and never more seldom unless it fails: DeviceSampler's interval after a
    /// call that took all the time that it may.
    static constexpr qint64 leastIntervalMs = 2000;
    static constexpr qint64 mostIntervalMs = 75'000;
    /// Until two samples have come, of a source that may be slow.
    static constexpr qint64 firstIntervalMs = 10'000;
    /// So many intervals without another sample make it old.
    static constexpr int mostIntervals = 3;

    /// What was sampled at `made`, by whatever clock, is there at `now`. The same one may come again.
    void take(const QDateTime &made, const QDateTime &now);
    bool isOld(const QDateTime &now) const;
    /// By the clock of where it was sampled, UTC.
    const QDateTime &made() const { return m_made; }

private:
    QDateTime m_made;
    QDateTime m_came;                      ///< By the clock here.
    qint64 m_intervalMs = firstIntervalMs; ///< As far as it is known.
};

/// The same of the NPU and the process tree of each process of a run, by when news of them came: the clocks
/// of nodes may be others, and samples go on coming while an NPU is not read any more. A value.
class SampleAges
{
public:
    /// What is known at `now`. A process of which nothing is known any more is forgotten.
    void take(const RunSamples &samples, const QDateTime &now);
    /// When the NPU was read, or the tree sampled, last, by the clock of the node, UTC; invalid: that is not
    /// too long ago, or never was.
    QDateTime deviceOldSince(int process, const QDateTime &now) const;
    QDateTime loadOldSince(int process, const QDateTime &now) const;

private:
    struct Ages {
        SampleAge device;
        SampleAge load;
    };

    QHash<int, Ages> m_ages; ///< By process.
};

/// A sample without what is old in it.
RunSamples::Sample withoutOld(RunSamples::Sample sample, const QDateTime &deviceOldSince,
                              const QDateTime &loadOldSince);

} // namespace rankdeck
