#pragma once

#include "run/samples/runsamples.h"
#include "state/tone.h"

#include <QList>
#include <QString>
#include <QVariant>

namespace rankdeck
{

/// What stands in a cell of the table of NPUs and process trees.
struct DeviceValue {
    QVariant value; ///< By which rows are sorted: a number or a text; invalid: absent.
    QString text;
    Tone tone = Tone::Idle; ///< Idle: as all text.

    bool operator==(const DeviceValue &) const = default;
};

/// A column of that table.
struct DeviceColumn {
    QString title;
    QString meaning; ///< A sentence.
    DeviceValue (*of)(const RunSamples::Sample &sample);
};

/// All there are, in the order in which they are shown: what changes, and then what an NPU is called.
const QList<DeviceColumn> &deviceColumns();

} // namespace rankdeck
