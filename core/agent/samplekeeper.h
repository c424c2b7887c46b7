#pragma once

#include "agent/samplealarms.h"
#include "device/devicehistorywriter.h"
#include "launch/launchplan.h"
#include "run/runevent.h"
#include "run/samples/loadhistory.h"
#include "run/samples/nodesample.h"

#include <QDateTime>
#include <QList>
#include <QString>

#include <map>
#include <memory>
#include <optional>

namespace rankdeck
{

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
