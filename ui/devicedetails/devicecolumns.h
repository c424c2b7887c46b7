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
    QString why = {};       ///< Why there is no value, a sentence; empty: nothing to say.

    bool operator==(const DeviceValue &) const = default;
};

/// A column of that table.
struct DeviceColumn {
    QString title;
    QString meaning; ///< A sentence.
    DeviceValue (*of)(const RunSamples::Sample &sample);
};

/// Why it is not known whose the processes on an NPU are, where it is known that there are some.
QString whyUsersAreUntold();

/// All there are, in the order in which they are shown: what changes, and then what an NPU is called.
const QList<DeviceColumn> &deviceColumns();

} // namespace rankdeck
