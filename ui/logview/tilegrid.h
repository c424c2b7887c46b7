#pragma once

#include <QSize>

namespace rankdeck
{

/// In how many columns `count` log panes are tiled over `area`: panes wide enough for a line of text and high
/// enough for a few, few gaps, and no pane narrower than need be.
int tileColumns(int count, const QSize &area);

} // namespace rankdeck
