#pragma once

#include "canvas/canvaswidget.h"
#include "logview/logpalette.h"
#include "plot/plotaxis.h"
#include "plot/plotscale.h"
#include "preflight/bandwidthcurves.h"

namespace rankdeck
{

/// The bandwidth of an allreduce against the size of its data, a line for each number of ranks; sizes stand
/// by ratio. Left and Right move a cursor through the sizes, Home and End to the first and the last, a press
/// sets it; what was measured there is told by described() and to screen readers. Ctrl+C copies all of it as
/// a table.
class BandwidthPlot : public CanvasWidget
{
    Q_OBJECT

public:
    explicit BandwidthPlot(QWidget *parent = nullptr);

    void setCurves(const QList<BandwidthCurve> &curves);
    const QList<BandwidthCurve> &curves() const { return m_curves; }
    /// Index in sizesOf(curves()); -1: the cursor is not set.
    int cursor() const { return m_cursor; }
    /// "64 KiB: 8 ranks 812 MB/s; 4 ranks 1,240 MB/s"; without a cursor of the largest size.
    QString words() const;
    /// Tab-separated: a row a size, a column each number of ranks.
    QString text() const;
    /// The chart within its frame, and where a point of it is.
    QRect chart() const;
    QPoint placeOf(const BandwidthCurve::Point &point) const;
    QColor colorOf(int curve) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public Q_SLOTS:
    void copy() const;

Q_SIGNALS:
    void described(const QString &words);

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void scaleAxes();
    void moveCursor(int to);
    void describe();
    void drawFrame(Canvas &canvas) const;
    void drawCurve(Canvas &canvas, int curve) const;
    void drawNames(Canvas &canvas) const;
    QRect sizeScale() const;
    QList<PlotMark> sizeMarks() const;

    LogPalette m_palette;
    QList<BandwidthCurve> m_curves;
    QList<qint64> m_sizes;
    PlotAxis m_sizeAxis; ///< Of the logarithm to base 2.
    PlotAxis m_values;   ///< MB/s
    int m_cursor = -1;
};

} // namespace rankdeck
