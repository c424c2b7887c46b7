#include "logview/tilegrid.h"

#include <QGridLayout>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <utility>

namespace rankdeck
{

int tileColumns(int count, const QSize &area)
{
    // A pane of 80 cells by 20 lines or so is about twice as wide as high.
    constexpr double wantedShape = 2.0;
    constexpr double gapPenalty = 0.15;
    int best = 1;
    double bestCost = 1e9;
    for (int columns = 1; columns <= std::max(1, count); ++columns) {
        const int rows = (count + columns - 1) / columns;
        const double width = double(std::max(1, area.width())) / columns;
        const double height = double(std::max(1, area.height())) / std::max(1, rows);
        const double cost =
            std::abs(std::log(width / height / wantedShape)) + gapPenalty * (rows * columns - count);
        if (cost < bestCost - 1e-9) {
            bestCost = cost;
            best = columns;
        }
    }
    return best;
}

void arrangeTiles(QGridLayout *grid, const QList<QWidget *> &panes, int columns)
{
    for (QWidget *const pane : panes)
        grid->removeWidget(pane);
    for (int i = 0; i < grid->columnCount(); ++i)
        grid->setColumnStretch(i, 0);
    for (int i = 0; i < grid->rowCount(); ++i)
        grid->setRowStretch(i, 0);

    QWidget *previous = nullptr;
    for (int i = 0; i < static_cast<int>(panes.size()); ++i) {
        grid->addWidget(panes[i], i / columns, i % columns);
        grid->setColumnStretch(i % columns, 1);
        grid->setRowStretch(i / columns, 1);
        panes[i]->show();
        if (previous)
            QWidget::setTabOrder(previous, panes[i]);
        previous = panes[i];
    }
}

void fitTiles(QGridLayout *grid, const QList<QWidget *> &panes, const QSize &area, int &columns)
{
    const int fitting = tileColumns(static_cast<int>(panes.size()), area);
    if (std::exchange(columns, fitting) != fitting)
        arrangeTiles(grid, panes, fitting);
}

} // namespace rankdeck
