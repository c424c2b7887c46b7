#pragma once

#include "devicegrid/deviceserver.h"

#include <QPoint>

namespace rankdeck
{

class Canvas;

/// Width and height of a mark in dots.
constexpr int markDots = 9;

/// How large a dot is, in pixels, beside text of this height.
int markDotSize(int textHeight);

/// Draw the small shape that stands for how a server does, as a run's state has one: a cross where a rank
/// failed, "?" when lost, lines for logs alone, a bar while stopping, a disc while running, a ring while
/// waiting, a square when stopped, a tick, a dash where nothing was launched.
void drawServerMark(Canvas &canvas, const QPoint &topLeft, int dot, ServerState state, const QColor &color);
/// A triangle that points down at what is open, to the right where something is folded away.
void drawFoldMark(Canvas &canvas, const QPoint &topLeft, int dot, bool folded, const QColor &color);

} // namespace rankdeck
