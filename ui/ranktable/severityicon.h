#pragma once

#include "ranktable/finding.h"
#include "state/tone.h"

#include <QIcon>

class QPainter;

namespace rankdeck
{

Tone toneOf(Severity severity);

/// Draw the shape that stands beside a severity's word, so that colour is not the only sign: a disc with a
/// cross for an error, a triangle with "!" for a warning, a ring with "i" for a note.
void drawSeverityMark(QPainter &painter, const QRectF &area, Severity severity, const QPalette &palette);
/// The same as an icon of `side` pixels, for a screen of `ratio` device pixels a pixel.
QIcon severityIcon(Severity severity, const QPalette &palette, int side, qreal ratio);
/// A tick: nothing was found.
QIcon noFindingIcon(const QPalette &palette, int side, qreal ratio);

} // namespace rankdeck
