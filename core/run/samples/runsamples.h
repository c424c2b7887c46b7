#pragma once

#include "run/samples/nodesample.h"

#include <QDateTime>
#include <QHash>
#include <QList>
#include <QMap>

#include <optional>

namespace rankdeck
{

/// What a run's NPUs and processes looked like at the last moment that is known, and how busy they were in
/// the minutes before. A value that is fed with samples; the window's grid and details are made from it.
class RunSamples
{
public:
    /// How many moments recent() goes back, and how far apart these are: five minutes in all.
    static constexpr int mostRecent = 30;
    static constexpr int recentSeconds = 10;

    /// Of one process.
    struct Sample {
        QDateTime time;                     ///< UTC, that of the node's sample.
        std::optional<DeviceSample> device; ///< Its NPU; nothing: it has none, or none is known.
        QDateTime deviceTime;         ///< UTC, when that was read; several samples may bring the same one.
        QList<DeviceUser> foreign;    ///< Who uses that NPU and is none of the run's.
        std::optional<TreeLoad> load; ///< Nothing: it does not run.
        QList<DeviceUser> users;      ///< Who uses that NPU, the run's own and foreign ones.

        /// 0 to 100: AI cores, else the chip as a whole (a 950); nothing without an NPU that says either.
        std::optional<int> busyPercent() const;
        /// HBM, or DDR where it has no HBM.
        Amount memory() const;
        /// How many processes use the NPU that `users` lacks: of those it cannot be told whose they are, as
        /// NodeSample::users says. Nothing: nobody said who uses it.
        std::optional<qsizetype> untoldUsers() const;
        /// How many foreign ones there are. Nothing: not known.
        std::optional<qsizetype> foreignCount() const;
    };

    void clear();
    /// Take over what is newer; the processes that something is known of now which was not so before.
    QList<int> take(const NodeSample &sample);
    /// A process has ended, or another has its place: its load is gone, and who uses its chip is not known.
    void forget(int process);

    /// Nothing has been taken.
    bool isEmpty() const { return m_samples.isEmpty() && m_problems.isEmpty(); }
    /// Some process has an NPU that is known.
    bool hasDevices() const { return m_hasDevices; }
    /// Those that something is known of.
    QList<int> processes() const { return m_samples.keys(); }
    /// Null when nothing is known of it.
    const Sample *of(int process) const;
    /// The largest value of each stretch of recentSeconds, oldest first, the last one being under way: how
    /// busy its NPU was, in percent, or without an NPU its process tree, in percent of one core. Nothing for
    /// a stretch in which nothing was sampled, nor for one in which the NPU's last reading came again.
    QList<std::optional<double>> recent(int process) const;
    /// A moment that was before those that were taken, from a run's history.
    void addRecent(int process, const QDateTime &time, double busy);
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

    QHash<int, Known> m_samples;
    QMap<QString, Error> m_problems;
    bool m_hasDevices = false;
};

} // namespace rankdeck
