#pragma once

#include "device/devicesource.h"

#include <QString>
#include <QStringList>

#include <functional>

namespace rankdeck
{

/// A run of ours that a process of the host belongs to; empty: none.
using RunOfPid = std::function<QString(qint64 pid)>;

/// A reading as a terminal shows it: a row for each chip, with the columns that one of them has a value for,
/// then a row for each process on one. "-" is what a chip does not give.
QStringList deviceTable(const DeviceReading &reading, const RunOfPid &runOfPid);

} // namespace rankdeck
