#pragma once

#include "devicegrid/cells/deviceserver.h"
#include "run/samples/runsamples.h"

namespace rankdeck
{

struct RunState;

/// The samples that a grid shows. If a run has no known NPUs, Devices means Processes.
enum class ShownSamples { Devices, Processes, Both, Neither };

/// The rows for samples that each cell of a grid has.
struct SampleRows {
    bool devices = false;
    bool processes = false;

    int count() const;
    /// Number of the first rows that have a bar below.
    int bars() const { return devices ? 2 : 0; }
    bool operator==(const SampleRows &) const = default;
};

/// One row of a sample.
struct SampleLine {
    QString left = {};
    QString right = {};                 ///< Left out if it does not fit.
    QString history = {};               ///< Right-aligned, newest last; cut at its left.
    std::optional<Tone> tone = {};      ///< Colour of `right`; nothing: quiet.
    std::optional<double> percent = {}; ///< Length of the bar; nothing: no bar.
    QString spoken = {};

    bool operator==(const SampleLine &) const = default;
};

/// The current sample of a process's NPU and process tree.
struct KnownSample {
    const RunSamples::Sample *sample = nullptr; ///< Null: none.
    QList<std::optional<double>> recent;        ///< See RunSamples.
    QDateTime deviceOldSince;                   ///< UTC; valid: the NPU could not be read since then.
    QDateTime loadOldSince;                     ///< The same for the process tree.
};

/// Returns the rows of a cell: as many as `rows` has, or fewer.
QList<SampleLine> sampleLines(const KnownSample &known, const SampleRows &rows);

/// A warning about an NPU beside its numbers, worst first: "⚠ +2 others: python 4711 bob".
struct SampleNote {
    QString text; ///< Empty: nothing.
    QString spoken;
    Tone tone = Tone::Caution;

    bool operator==(const SampleNote &) const = default;
};
/// @param alarm what befell the NPU during the run; empty: nothing that is known. @param node of the NPU,
/// which the alarm begins with where a run has several.
SampleNote sampleNote(const KnownSample &known, const QString &alarm, const QString &node);

/// Returns a character for each value, "▁" for 0 to "█" for `full` and above, a blank if it is missing.
QString sparkline(const QList<std::optional<double>> &values, double full);

/// The content of one cell of the device grid. Differences between two contents must be drawn again.
struct DeviceCell {
    /// One line of the cell: left-aligned and right-aligned text.
    struct Line {
        QString left;
        QString right;
        bool operator==(const Line &) const = default;
    };
    static constexpr int lineCount = 4;

    int process = -1; ///< Index in LaunchPlan::processes; -1: this run started nothing on the device.
    Tone tone = Tone::Idle;
    bool hasAlarm = false; ///< Its NPU is unhealthy.
    /// Rank and device, and the state's word; address, and pid; exit and progress, and elapsed time or, in
    /// training, time of a step; last log line. The third line of a stalled rank says since when it is
    /// silent; of a rank at a prompt, where it is and its position among all at a prompt.
    std::array<Line, lineCount> lines;
    QList<SampleLine> samples; ///< Below the progress.
    SampleNote note;           ///< Takes one row of the log line.

    /// Returns the whole content in words, for a screen reader.
    QString spoken() const;
    bool operator==(const DeviceCell &) const = default;
};

/// Returns the cell of `device` in `state`.
/// @param lastLine last line of its process's log.
/// @param now end of the elapsed time of a running rank, UTC.
/// @param progress its training's progress and duration of a step; empty if not known.
/// @param finding the verdict's text on it, shown in place of its exit; empty: none.
DeviceCell deviceCell(const PlacedDevice &device, const RunState &state, const QString &lastLine,
                      const QDateTime &now, const DeviceCell::Line &progress = {},
                      const QString &finding = {});

} // namespace rankdeck
