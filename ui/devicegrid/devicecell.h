#pragma once

#include "devicegrid/cellsamples.h"
#include "devicegrid/deviceserver.h"
#include "run/runstate.h"
#include "state/tone.h"

#include <QDateTime>
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
    /// Rank and device with the state's word; address and pid; how it ended and how far it is, and elapsed
    /// time or, while it trains, that of a step; last log line. Of a stalled one since when it is silent; of
    /// one at a prompt where, and as which of all that are it came there.
    std::array<Line, lineCount> lines;
    QList<SampleLine> samples; ///< Below its progress.
    SampleNote note;           ///< Takes a row of the log line.

    /// All of it in words, for a screen reader.
    QString spoken() const;
    bool operator==(const DeviceCell &) const = default;
};

/// What the cell of `device` shows of `state`.
/// @param lastLine last line of its process's log.
/// @param now what the elapsed time of a running rank is measured to, UTC.
/// @param progress how far its training is, and how long a step takes; empty where that is not known.
DeviceCell deviceCell(const PlacedDevice &device, const RunState &state, const QString &lastLine,
                      const QDateTime &now, const DeviceCell::Line &progress = {});

} // namespace rankdeck
