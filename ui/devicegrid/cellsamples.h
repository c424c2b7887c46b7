#pragma once

#include "run/samples/runsamples.h"
#include "state/tone.h"

#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace rankdeck
{

/// What of samples a grid shows. Where a run has no NPUs that are known, Devices is Processes.
enum class ShownSamples { Devices, Processes, Both, Neither };

/// Which rows the cells of a grid have for samples, all of them alike.
struct SampleRows {
    bool devices = false;
    bool processes = false;

    int count() const;
    /// How many of them, from the first on, have a bar below them.
    int bars() const { return devices ? 2 : 0; }
    bool operator==(const SampleRows &) const = default;
};

/// One of these rows.
struct SampleLine {
    QString left;
    QString right;                 ///< Left out where it does not fit whole.
    QString history;               ///< Right, the newest last; cut at its left.
    std::optional<Tone> tone;      ///< Of what stands right; nothing: it stands back.
    std::optional<double> percent; ///< How far the bar goes; nothing: there is none.
    QString spoken;

    bool operator==(const SampleLine &) const = default;
};

/// What is known of a process's NPU and tree now.
struct KnownSample {
    const RunSamples::Sample *sample = nullptr; ///< Null: nothing.
    QList<std::optional<double>> recent;        ///< See RunSamples.
    QDateTime deviceOldSince; ///< UTC; valid: the NPU has not been read since then, though it should have.
    QDateTime loadOldSince;   ///< The same of the tree.
};

/// What a cell shows of it: as many as `rows` has, or fewer.
QList<SampleLine> sampleLines(const KnownSample &known, const SampleRows &rows);

/// What one should know of an NPU beside its numbers, worst first: "⚠ +2 others: python 4711 bob".
struct SampleNote {
    QString text; ///< Empty: nothing.
    QString spoken;
    Tone tone = Tone::Caution;

    bool operator==(const SampleNote &) const = default;
};
/// @param alarm what befell the NPU during the run; empty: nothing that is known. @param node of the NPU,
/// which the alarm begins with where a run has several.
SampleNote sampleNote(const KnownSample &known, const QString &alarm, const QString &node);

/// A character for each value, "▁" for 0 to "█" for `full` and above; a blank where there is none.
QString sparkline(const QList<std::optional<double>> &values, double full);

} // namespace rankdeck
