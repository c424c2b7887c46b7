#pragma once

#include "launch/launchplan.h"
#include "result.h"

#include <QList>
#include <QString>

#include <optional>

class QIODevice;

namespace rankdeck
{

/// Writes the history of samples of the nodes of these processes as comma-separated values with a heading, a
/// row for each chip of these nodes and each moment, and then one for each process tree and moment: node,
/// rank (empty of a chip that no rank works with, and of a scheduler), and what DeviceHistory::toCsv() and
/// LoadHistory::toCsv() have, the other's values being empty. Blocks. Error: there is no such history.
std::optional<Error> writeSampleCsv(QIODevice &out, const QString &runDirectory, const LaunchPlan &plan,
                                    const QList<int> &processes);

} // namespace rankdeck
