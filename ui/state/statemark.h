#pragma once

#include "run/runstate.h"

#include <QColor>
#include <QRect>

class QPainter;

namespace rankdeck
{

/// Draw the small shape that stands beside a run's state word, so that colour is not the only sign: a ring
/// while starting, a disc while running, a tick, a cross, a square when stopped, a bar while stopping, a "?"
/// when lost, lines for logs alone.
void drawStateMark(QPainter &painter, const QRect &area, RunPhase phase, const QColor &color);

} // namespace rankdeck
