#pragma once

#include "device/history/devicehistory.h"
#include "device/sampling/devicealarm.h"
#include "run/record/runevent.h"
#include "run/samples/loadhistory.h"

#include <map>
#include <memory>

namespace rankdeck
{

struct LaunchPlan;

/// Makes events of the run from samples: NPUs that get worse or vanish, or are well again (DeviceAlarm,
/// DeviceWell), and processes of others on an NPU of a running rank (Note, once for each). A reading is
/// reported as a whole; a node may have twenty events at once and then ten a minute, and the next event after
/// a pause reports the changes since the last one.
class SampleAlarms
{
public:
    /// @param now ms since 1970.
    QList<RunEvent> take(const NodeSample &sample, const LaunchPlan &plan, qint64 now);

private:
    static constexpr int atOnce = 20;
    static constexpr int aMinute = 10;

    struct Seen {
        qint64 pid = 0;
        int device = 0;
        auto operator<=>(const Seen &) const = default;
    };
    /// The known state of a node.
    struct Node {
        std::optional<DeviceReading> told; ///< The last reading that was made into events.
        QMap<int, int> chips;              ///< Chips in that reading, as NodeSample has them.
        QDateTime time;                    ///< Time of the newest reading.
        QList<Seen> strangers;             ///< Other users' processes in the newest reading …
        QList<Seen> toldStrangers;         ///< … and those already reported, oldest first.
        double left = atOnce;              ///< Number of events that may still be reported now.
        qint64 filledAt = 0;
    };

    static bool mayTell(Node &node, qint64 now);
    QList<RunEvent> alarms(Node &node, const NodeSample &sample, const LaunchPlan &plan);
    QList<RunEvent> strangers(Node &node, const NodeSample &sample, const LaunchPlan &plan);

    QMap<QString, Node> m_nodes;
};

/// Handles a supervisor's samples: keeps their history in the run's directory, see samplefiles.h, and makes
/// events of them. Blocks for a write of some hundred bytes a sample.
class SampleKeeper
{
public:
    explicit SampleKeeper(QString runDirectory);

    /// Keeps the sample of a node of `plan`; drops that of another node. Returns the events to report; once
    /// for a run also that its samples cannot be kept.
    /// @param now ms since 1970.
    QList<RunEvent> take(const NodeSample &sample, const LaunchPlan &plan, qint64 now);

private:
    struct Node {
        std::unique_ptr<DeviceHistoryWriter> devices;
        std::unique_ptr<LoadHistoryWriter> loads;
        QDateTime kept; ///< The time of the last reading of NPUs that is.
    };

    std::optional<Error> keep(const NodeSample &sample, qsizetype place);

    QString m_directory;
    std::map<QString, Node> m_nodes;
    SampleAlarms m_alarms;
    bool m_hasComplained = false;
};

} // namespace rankdeck
