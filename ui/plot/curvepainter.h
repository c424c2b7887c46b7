#pragma once

#include "plot/plotwidget.h"

namespace rankdeck
{

/// A part of the axis along the plot: steps, or ms since 1970; or columns of pixels.
struct PlotRange {
    qint64 first = 0;
    qint64 last = 0;

    bool contains(qint64 place) const { return place >= first && place <= last; }
    bool operator==(const PlotRange &) const = default;
};

/// The contents of a plot of curves, in pixels.
struct ShownCurves {
    struct Chart {
        QString title;
        PlotAxis values;
        std::vector<std::vector<PlotSpan>> columns; ///< Columns of pixels, each with the spans of all curves.
        std::vector<int> labels;                    ///< The row of each curve's label, or noRow.
    };

    QList<PlotName> names;
    PlotAxis along;
    QList<PlotMark> marks; ///< Marks of the axis `along`.
    QList<Chart> charts;
    int emphasized = -1;              ///< This curve is drawn above the others and thicker; -1: none.
    int cursor = -1;                  ///< Column.
    std::optional<PlotRange> dragged; ///< Columns.
    QString readout;

    /// Whether names, titles and axes are the same, so that only curves may differ.
    bool hasFrameOf(const ShownCurves &other) const;
    /// Whether a column of pixels is marked as another one is in `other`.
    bool hasMarksOf(const ShownCurves &other, int column) const
    {
        return (column == cursor) == (column == other.cursor) && isDragged(column) == other.isDragged(column);
    }
    bool isDragged(int column) const { return dragged && dragged->contains(column); }
};

/// Draws a plot of curves: only the columns of pixels, labels and texts that differ from the screen.
class CurvePainter
{
public:
    /// All must live as long as this does.
    CurvePainter(Canvas &canvas, const PlotGeometry &parts, const PlotWidget &plot)
        : m_canvas(canvas)
        , m_parts(parts)
        , m_plot(plot)
        , m_look(plot.look())
    {
    }

    /// @param before is on the screen; null: nothing is.
    void draw(const ShownCurves &now, const ShownCurves *before);

private:
    void drawLegend(const ShownCurves &now);
    void drawScales(const ShownCurves &now);
    /// @param isFresh nothing but the scales is there.
    void drawColumn(const ShownCurves &now, int chart, int x, bool isFresh);
    void drawSpan(const QRect &area, int x, const PlotSpan &span, const QColor &color, double more);
    void drawLabels(const ShownCurves &now, int chart);

    Canvas &m_canvas;
    const PlotGeometry &m_parts;
    const PlotWidget &m_plot;
    const LogPalette &m_look;
};

} // namespace rankdeck
