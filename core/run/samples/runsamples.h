#pragma once

#include "run/samples/nodesample.h"

#include <QSet>

namespace rankdeck
{

/// The last known samples of a run's NPUs and processes, and how busy they were in the minutes before. A
/// value that is fed with node samples; the window's grid and details are made from it.
class RunSamples
{
public:
    /// How many moments recent() goes back, and how far apart these are: five minutes in all.
    static constexpr int mostRecent = 30;
    static constexpr int recentSeconds = 10;

    struct Sample {
        QDateTime time;                     ///< UTC, that of the node's sample.
        std::optional<DeviceSample> device; ///< Its NPU; nothing: it has none, or none is known.
        QDateTime deviceTime;         ///< UTC, when the NPU was read; several samples may repeat one reading.
        QList<DeviceUser> foreign;    ///< The users of that NPU that are not part of the run.
        std::optional<TreeLoad> load; ///< Nothing: it does not run.
        std::optional<LiveCollective> collective; ///< Nothing: it does not say it, or does not run.
        QList<DeviceUser> users;                  ///< All users of that NPU, the run's own and foreign ones.

        /// Returns 0 to 100: AI cores, else the chip as a whole (a 950); nothing if its NPU reports neither.
        std::optional<int> busyPercent() const;
        Amount memory() const; ///< HBM, or DDR where it has no HBM.
        /// Number of the NPU's processes that `users` lacks: see NodeSample::users. Nothing: unknown users.
        std::optional<qsizetype> untoldUsers() const;
        std::optional<qsizetype> foreignCount() const; ///< Number of foreign users. Nothing: unknown.
    };

    void clear() { *this = {}; }
    /// Stores a newer sample. Returns the processes that it has values of.
    QList<int> take(const NodeSample &sample);
    /// A process has ended, or was replaced: forgets its load and the users of its chip.
    void forget(int process);

    bool isEmpty() const { return m_samples.isEmpty() && m_problems.isEmpty(); }
    /// Returns true if NPUs of processes are a demo's invention; see DeviceSample::isInvented.
    bool hasInventedDevices() const;
    bool hasDevices() const { return m_hasDevices; }
    QList<int> processes() const { return m_samples.keys(); }
    const Sample *of(int process) const; ///< Returns null if the process has no sample.
    /// Returns how busy the NPU was at most in each stretch of recentSeconds, in percent, or without an NPU
    /// the process tree, in percent of a core; oldest first. Nothing without a new sample.
    QList<std::optional<double>> recent(int process) const;
    /// Adds a moment from the run's history, earlier than those that were sampled.
    void addRecent(int process, const QDateTime &time, double busy) { add(m_samples[process], time, busy); }
    /// Whether the last collectives that the processes say put this one behind others that wait.
    bool isBehind(int process) const { return m_behind.contains(process); }
    /// Why NPUs of nodes cannot be read, by node.
    const QMap<QString, Error> &problems() const { return m_problems; }

private:
    struct Stretch {
        qint64 number = 0; ///< Seconds since 1970 / recentSeconds.
        double most = 0;
    };
    struct Known {
        Sample sample;
        QList<Stretch> stretches;
    };

    static void add(Known &known, const QDateTime &time, double busy);

    void findBehind();

    QHash<int, Known> m_samples;
    QSet<int> m_behind;
    QMap<QString, Error> m_problems;
    bool m_hasDevices = false;
};

/// Decides whether a sample is too old to be shown as the present state. A value.
class SampleAge
{
public:
    /// Limits of the sampling interval: DeviceSampler's shortest one, and that after the longest call.
    static constexpr qint64 leastIntervalMs = 2000;
    static constexpr qint64 mostIntervalMs = 75'000;
    /// Assumed until two samples have come from a source that may be slow.
    static constexpr qint64 firstIntervalMs = 10'000;
    /// A sample is old after this many intervals without another one.
    static constexpr int mostIntervals = 3;

    /// Notes that at `now` there is the sample that was made at `made`, by any clock; it may be repeated.
    void take(const QDateTime &made, const QDateTime &now);
    /// When the sample was made, by the clock of the node, UTC; invalid unless it is old.
    QDateTime oldSince(const QDateTime &now) const;

private:
    QDateTime m_made;
    QDateTime m_came; ///< By the clock of this machine.
    qint64 m_intervalMs = firstIntervalMs;
};

/// The ages of the samples of each process's NPU and process tree. They are measured from the arrival of new
/// values: clocks of nodes may differ, and node samples go on when an NPU is no longer read. A value.
class SampleAges
{
public:
    /// Notes the samples at `now`; forgets processes that have no sample any more.
    void take(const RunSamples &samples, const QDateTime &now);
    /// When the NPU was read, or the tree sampled, by its node's clock, UTC; invalid unless that is old.
    QDateTime deviceOldSince(int process, const QDateTime &now) const;
    QDateTime loadOldSince(int process, const QDateTime &now) const;

private:
    struct Ages {
        SampleAge device;
        SampleAge load;
    };

    QHash<int, Ages> m_ages; ///< By process.
};

RunSamples::Sample withoutOld(RunSamples::Sample sample, const QDateTime &deviceOldSince,
                              const QDateTime &loadOldSince);

} // namespace rankdeck
