#pragma once

#include "canvas/widget/canvaswidget.h"
#include "plot/plotgeometry.h"
#include "widgets/logpalette.h"

namespace rankdeck
{

/// Colours of a plot's scales.
struct PlotScaleLook {
    QColor line; ///< Across the chart.
    QColor text;
};

/// A place on a scale, and its text.
struct PlotMark {
    double value = 0;
    QString text;
};

/// Returns the row of pixels of a value in `area`; outside of `area` for values outside of the axis.
int plotRow(const PlotAxis &values, double value, const QRect &area);

/// Draws lines across `chart` at the marks, and their numbers along the right edge of `scale`.
void drawValueScale(Canvas &canvas, const PlotAxis &values, const QRect &chart, const QRect &scale,
                    const PlotScaleLook &look);
/// Draws ticks and texts below a chart. @param scale as wide as the chart, a row of text high.
void drawScaleBelow(Canvas &canvas, const PlotAxis &axis, const QList<PlotMark> &marks, const QRect &scale,
                    const PlotScaleLook &look);

/// A plot with a cursor: Left and Right move it, with Ctrl further, Home and End move it to the ends, and a
/// mouse press sets it.
class PlotWidget : public CanvasWidget
{
    Q_OBJECT

public:
    explicit PlotWidget(QWidget *parent = nullptr);

    /// Returns the colour of rankColor(), made legible.
    QColor colorOf(int curve) const { return m_look.ofRank(curve, m_look.base()); }
    const LogPalette &look() const { return m_look; }
    PlotScaleLook scaleLook() const { return {palette().color(QPalette::AlternateBase), m_look.muted()}; }

protected:
    enum class CursorMove { Back, On, First, Last };

    virtual void moveCursor(CursorMove where, bool isFar) = 0;
    /// Moves the cursor to a pressed place.
    virtual void placeCursor(const QPoint &place) = 0;
    /// Adapts the axes to the size.
    virtual void scaleAxes() = 0;

    /// Draws a sentence in the middle of an empty canvas.
    void drawEmpty(Canvas &canvas, const QString &sentence) const;

    void paletteChanged() override { m_look = LogPalette(palette()); }
    void focusInEvent(QFocusEvent *) override { schedule(); }
    void focusOutEvent(QFocusEvent *) override { schedule(); }
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override
    {
        CanvasWidget::resizeEvent(event);
        scaleAxes();
    }

private:
    LogPalette m_look;
};

} // namespace rankdeck
