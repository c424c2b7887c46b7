#pragma once

#include "plot/plotaxis.h"
#include "plot/plotwidget.h"
#include "preflight/bandwidthcurves.h"

namespace rankdeck
{

/// The bandwidth of an allreduce against the size of its data, a line for each number of ranks; sizes stand
/// by ratio, and its cursor goes through these; what was measured there is told by described() and to screen
/// readers. Ctrl+C copies all of it as a table.
class BandwidthPlot : public PlotWidget
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

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public Q_SLOTS:
    void copy() const;

Q_SIGNALS:
    void described(const QString &words);

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;
    void keyPressEvent(QKeyEvent *event) override;
    void moveCursor(CursorMove where, bool isFar) override;
    void placeCursor(const QPoint &place) override;
    void scaleAxes() final;

private:
    void setCursor(int to);
    void describe();
    void drawFrame(Canvas &canvas) const;
    void drawCurve(Canvas &canvas, int curve) const;
    void drawNames(Canvas &canvas) const;
    QRect sizeScale() const;
    QList<PlotMark> sizeMarks() const;

    QList<BandwidthCurve> m_curves;
    QList<qint64> m_sizes;
    PlotAxis m_sizeAxis; ///< Of the logarithm to base 2.
    PlotAxis m_values;   ///< MB/s
    int m_cursor = -1;
};

} // namespace rankdeck
