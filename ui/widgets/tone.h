#pragma once

#include "run/runstate.h"

#include <QColor>
#include <QPalette>

namespace rankdeck
{

/// How a state of a run or a rank is coloured. Always shown together with its word.
enum class Tone {
    Idle,    ///< Nothing happened yet, or nothing is known.
    Active,  ///< At work.
    Good,    ///< Ended well.
    Bad,     ///< Failed.
    Ended,   ///< Ended because it was told to.
    Caution, ///< Being torn down, or lost.
};

Tone toneOf(RunPhase phase);
Tone toneOf(RankPhase phase);

/// Text and marks of this tone: at least 4.5:1 against the palette's Base and Window colours and against
/// toneBackground(), in light and dark palettes.
QColor toneColor(Tone tone, const QPalette &palette);
/// A faint tint of the palette's Base colour, on which both its Text colour and toneColor() are legible.
QColor toneBackground(Tone tone, const QPalette &palette);
/// Text that stands back: details and hints, still at least 4.5:1 against Base.
QColor quietColor(const QPalette &palette);

/// 1 (same) .. 21 (black on white), as WCAG 2.1 defines contrast ratio.
double contrastRatio(const QColor &one, const QColor &other);

} // namespace rankdeck
