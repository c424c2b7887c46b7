#pragma once

#include "chart/plotpoints.h"

class QXmlStreamWriter;

namespace rankdeck
{

/// The axis along a chart, with the texts of its marks.
struct SvgAxis {
    PlotAxis axis;
    QStringList marks; ///< Parallel to axis.marks.
};

/// A chart as an SVG element.
struct SvgChart {
    static constexpr int wide = 760;
    static constexpr int narrow = 470; ///< For two beside each other.
    static constexpr int height = 220;

    const PlotChart &chart;
    const QList<PlotName> &names;
    const SvgAxis &along;
    int emphasized = -1; ///< This curve is drawn above the others and thicker; -1: none.
    int width = wide;
};

/// Writes the chart as one `svg` element, as wide as the chart says and `SvgChart::height` high. Its colours
/// are those of svgChartStyle().
/// @param top where it begins in an `svg` around it; nothing: it stands in a page.
void writeSvgChart(QXmlStreamWriter &out, const SvgChart &chart, std::optional<int> top = {});

/// Returns the class of a curve's colour in svgChartStyle(), "c0" to "c11", in the order of rankColor().
QString svgCurveClass(qsizetype curve);

/// The page that colours are for: with LightAndDark a dark one where the reader prefers that.
enum class SvgColours { Light, Dark, LightAndDark };

/// Returns the style sheet of charts.
QString svgChartStyle(SvgColours colours);

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
