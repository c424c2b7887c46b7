#pragma once

#include <QList>
#include <QSize>

class QGridLayout;
class QWidget;

namespace rankdeck
{

/// In how many columns `count` log panes are tiled over `area`: panes wide enough for a line of text and high
/// enough for a few, few gaps, and no pane narrower than need be.
int tileColumns(int count, const QSize &area);

/// Put `panes` into `grid`, which holds none but them, row by row, all of the same size; Tab goes through
/// them in this order.
void arrangeTiles(QGridLayout *grid, const QList<QWidget *> &panes, int columns);
/// The same in as many columns as suit `area`, when these are others than `columns`; 0: it has none yet.
void fitTiles(QGridLayout *grid, const QList<QWidget *> &panes, const QSize &area, int &columns);

} // namespace rankdeck
