#pragma once

#include "chart/svgchart.h"

namespace rankdeck
{

/// Charts of the same curves over one axis.
struct SvgPlot {
    const QList<PlotChart> &charts;
    const QList<PlotName> &names;
    const SvgAxis &along;
    int emphasized = -1; ///< See SvgChart.
};

/// Returns the charts, one below the other, as a whole SVG file with the names of the curves above them.
QByteArray svgPicture(const SvgPlot &plot, bool isDark);

} // namespace rankdeck
