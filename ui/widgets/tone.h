#pragma once

#include "device/sample/devicesample.h"
#include "run/record/runphase.h"

#include <QColor>
#include <QPalette>

namespace rankdeck
{

/// The colour of a state of a run or a rank. Always shown together with its word.
enum class Tone {
    Idle,    ///< Nothing happened yet, or nothing is known.
    Active,  ///< At work.
    Good,    ///< Ended well.
    Bad,     ///< Failed.
    Ended,   ///< Ended on request.
    Caution, ///< Being torn down, or lost.
};

Tone toneOf(RunPhase phase);
Tone toneOf(RankPhase phase);
Tone toneOf(DeviceHealth health);

/// Returns the colour of text and marks: at least 4.5:1 against the palette's Base and Window colours and
/// against toneBackground(), in light and dark palettes.
QColor toneColor(Tone tone, const QPalette &palette);
/// Returns a faint tint of the palette's Base colour, on which its Text colour and toneColor() are legible.
QColor toneBackground(Tone tone, const QPalette &palette);
/// Returns the colour of details and hints, at least 4.5:1 against Base.
QColor quietColor(const QPalette &palette);

/// Returns a mixture, channel by channel, from `base` (share 0) to `other` (1).
QColor mixed(const QColor &base, const QColor &other, double share);

/// 1 (same) .. 21 (black on white), as WCAG 2.1 defines contrast ratio.
double contrastRatio(const QColor &one, const QColor &other);

} // namespace rankdeck
