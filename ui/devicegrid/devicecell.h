#pragma once

#include "run/runstate.h"
#include "state/tone.h"

#include <QDateTime>
#include <QHash>
#include <QList>
#include <QString>

#include <array>

namespace rankdeck
{

/// What one cell of the device grid shows. Comparing two of them says what has to be drawn again.
struct DeviceCell {
    /// One line of the cell: what stands left, and what stands right of it.
    struct Line {
        QString left;
        QString right;
        bool operator==(const Line &) const = default;
    };
    static constexpr int lineCount = 4;

    int process = -1; ///< Index in LaunchPlan::processes; -1: nothing of this run was started on the device.
    Tone tone = Tone::Idle;
    /// Rank and device with the state's word; address and pid; how it ended and elapsed time; last log line.
    std::array<Line, lineCount> lines;

    /// All of it in words, for a screen reader.
    QString spoken() const;
    bool operator==(const DeviceCell &) const = default;
};

/// A server of the rank table with its devices.
struct DeviceSection {
    QString heading;
    QList<DeviceCell> cells;
    bool operator==(const DeviceSection &) const = default;
};

/// What the device grid shows of `state`: every server of the plan's rank table, also those that the plan
/// starts nothing on, and after them the processes that are on no device of the table. Without a rank table,
/// every node of the plan with its processes.
/// @param lastLines last log line by index of process.
/// @param now what the elapsed time of running ranks is measured to, UTC.
QList<DeviceSection> deviceSections(const RunState &state, const QHash<int, QString> &lastLines,
                                    const QDateTime &now);

} // namespace rankdeck
