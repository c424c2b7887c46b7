#pragma once

#include "plot/plotaxis.h"

#include <QColor>
#include <QList>
#include <QRect>
#include <QString>

namespace rankdeck
{

class Canvas;

/// Colours of a plot's scales.
struct PlotScaleLook {
    QColor line; ///< Across the chart.
    QColor text;
};

/// A place on a scale, and what stands there.
struct PlotMark {
    double value = 0;
    QString text;
};

/// The row of pixels of `area` that a value is in; beyond for what is beyond the axis.
int plotRow(const PlotAxis &values, double value, const QRect &area);

/// Lines across `chart` at the marks of its values, and their numbers along the right edge of `scale`.
void drawValueScale(Canvas &canvas, const PlotAxis &values, const QRect &chart, const QRect &scale,
                    const PlotScaleLook &look);
/// Ticks and texts below a chart. @param scale as wide as the chart, a row of text high.
void drawScaleBelow(Canvas &canvas, const PlotAxis &axis, const QList<PlotMark> &marks, const QRect &scale,
                    const PlotScaleLook &look);

} // namespace rankdeck
