#pragma once

#include "device/history/devicehistory.h"
#include "device/sampling/devicealarm.h"
#include "run/record/runevent.h"
#include "run/samples/loadhistory.h"

#include <QSet>

#include <map>
#include <memory>

namespace rankdeck
{

struct LaunchPlan;

/// Finds in samples what is worth an event of the run: NPUs that get worse or vanish, or are well again
/// (DeviceAlarm, DeviceWell), and processes of others on an NPU of a rank that runs (Note, once for each). A
/// reading is told of whole; after twenty events of a node ten a minute are its share, and what comes too
/// fast is told as what has changed since it was told last.
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
    /// What is known of a node.
    struct Node {
        std::optional<DeviceReading> told; ///< That the events until now were made from.
        QMap<int, int> chips;              ///< Of that reading, as NodeSample has them.
        QDateTime time;                    ///< Of the newest reading.
        QList<Seen> strangers;             ///< That were there in the newest reading …
        QList<Seen> toldStrangers;         ///< … and of whom it was said, oldest first.
        double left = atOnce;              ///< Of the events that may be told.
        qint64 filledAt = 0;
    };

    static bool mayTell(Node &node, qint64 now);
    QList<RunEvent> alarms(Node &node, const NodeSample &sample, const LaunchPlan &plan);
    QList<RunEvent> strangers(Node &node, const NodeSample &sample, const LaunchPlan &plan);

    QMap<QString, Node> m_nodes;
};

/// What a supervisor does with samples: keeps their history in the run's directory, see samplefiles.h, and
/// says what is worth an event. Blocks for a write of some hundred bytes a sample.
class SampleKeeper
{
public:
    explicit SampleKeeper(QString runDirectory);

    /// Keeps the sample of a node of `plan`; of another node nothing is kept. What is to be told of it, and
    /// once for a run that its samples cannot be kept.
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
