#pragma once

#include "columntable.h"
#include "device/devicesource.h"

#include <QString>
#include <QStringList>

#include <functional>

namespace rankdeck
{

/// A run of ours that a process of the host belongs to; empty: none.
using RunOfPid = std::function<QString(qint64 pid)>;

/// What is said of a chip in a column of its own.
struct ChipColumn {
    QString heading;
    bool isNumber = true;
    std::function<QString(const DeviceSample &)> text;
};
QList<ChipColumn> chipColumns();

/// A reading as a terminal shows it: a row for each chip, with the columns that one of them has a value for,
/// then a row for each process on one. "-" is what a chip does not give.
QStringList deviceTable(const DeviceReading &reading, const RunOfPid &runOfPid);

} // namespace rankdeck
