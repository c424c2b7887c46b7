#pragma once

#include "launch/launchplan.h"

#include <QString>
#include <QStringList>

namespace rankdeck
{

// Where the samples of a run are kept, in its directory: samples/devices-N, a DeviceHistory, and
// samples/processes-N, a LoadHistory, N being the place of the node in sampledNodes().

/// The nodes of a plan in the order in which its processes first name them.
QStringList sampledNodes(const LaunchPlan &plan);

QString samplesFolder(const QString &runDirectory);
QString deviceHistoryPath(const QString &runDirectory, qsizetype node);
QString loadHistoryPath(const QString &runDirectory, qsizetype node);

} // namespace rankdeck
