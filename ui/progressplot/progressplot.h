#pragma once

#include "canvas/canvaswidget.h"
#include "diagnosis/progress/progressseries.h"
#include "logview/logpalette.h"
#include "plot/plotscale.h"
#include "progressplot/plotgeometry.h"
#include "progressplot/plotspans.h"

#include <QImage>
#include <QList>

#include <array>
#include <optional>
#include <vector>

namespace rankdeck
{

/// A rank in a plot.
struct PlotCurve {
    int rank = 0;
    int color = 0; ///< As rankColor() takes it.
    ProgressSeries loss;
    ProgressSeries stepTime; ///< ms

    bool operator==(const PlotCurve &) const = default;
};

/// Loss and step time of some ranks against the step. Draws the columns of pixels that have changed and no
/// others. Left and Right move a cursor through the steps, with Ctrl by a tenth of them, Home and End to the
/// first and the last; a press sets it. What the ranks had there is said in a line and to screen readers.
class ProgressPlot : public CanvasWidget
{
    Q_OBJECT

public:
    explicit ProgressPlot(QWidget *parent = nullptr);

    void setCurves(const QList<PlotCurve> &curves);
    const QList<PlotCurve> &curves() const { return m_curves; }
    bool isEmpty() const;
    std::optional<qint64> cursor() const { return m_cursor; }
    PlotGeometry geometryOfParts() const { return {size(), canvas().cellSize()}; }
    const PlotAxis &stepAxisShown() const { return m_steps; }

    /// What the ranks had at the cursor, or last.
    QString readout() const;
    /// As it is shown, without its cursor.
    QImage picture() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    static constexpr int charts = 2;
    /// All of one column of a chart.
    using Column = std::vector<PlotSpan>;
    struct Drawn {
        PlotAxis steps;
        std::array<PlotAxis, charts> values;
        std::array<std::vector<Column>, charts> columns;
        std::array<QString, charts> numbers;
        int cursor = -1; ///< Column.
        QString readout;
        int curves = -1;
    };

    void scaleAxes();
    Drawn wanted(const PlotGeometry &parts, bool withCursor) const;
    void draw(Canvas &canvas, const PlotGeometry &parts, const Drawn &now, const Drawn *before) const;
    void drawFrame(Canvas &canvas, const PlotGeometry &parts, const Drawn &now) const;
    void drawScales(Canvas &canvas, const PlotGeometry &parts, const Drawn &now) const;
    void drawLegend(Canvas &canvas, const PlotGeometry &parts) const;
    void drawColumn(Canvas &canvas, const QRect &area, int chart, int x, const Drawn &now, bool isAnew) const;
    void drawNumbers(Canvas &canvas, const PlotGeometry &parts, int chart) const;
    const ProgressSeries &series(const PlotCurve &curve, int chart) const;
    PlotScaleLook scaleLook() const;
    QColor colorOf(const PlotCurve &curve) const;
    std::vector<int> rowsOfNumbers(const PlotGeometry &parts, int chart) const;
    qint64 lastStepShown() const;
    void moveCursor(qint64 step);
    void describe();

    LogPalette m_palette;
    QList<PlotCurve> m_curves;
    PlotAxis m_steps;
    std::array<PlotAxis, charts> m_values;
    std::optional<qint64> m_cursor;
    std::optional<Drawn> m_drawn;
};

} // namespace rankdeck
