#pragma once

#include "collective/selftest/selftest.h"
#include "plot/plotwidget.h"

namespace rankdeck
{

/// The bandwidth of an allreduce by size, for one number of ranks.
struct BandwidthCurve {
    struct Point {
        qint64 bytes = 0; ///< Size of one rank's data.
        double mbs = 0;   ///< 10^6 bytes/s, of the slowest group with this number of ranks.
        bool operator==(const Point &) const = default;
    };

    int ranks = 0;       ///< Number of ranks that took part.
    QList<Point> points; ///< By size, ascending; each size once.
    bool operator==(const BandwidthCurve &) const = default;
};

/// Returns the curves of all "allreduce sum" with right results; uses the last result of each group. Most
/// ranks first.
QList<BandwidthCurve> bandwidthCurves(const std::vector<CollectiveResult> &collectives);

/// Returns all sizes of the curves, ascending.
QList<qint64> sizesOf(const QList<BandwidthCurve> &curves);

/// Returns "4 B", "64 KiB", "16 MiB", or the bytes if no larger unit is exact: "1,500 B".
QString dataSizeText(qint64 bytes);

/// Plots the bandwidth of an allreduce against the size of its data, a line for each number of ranks. The
/// size axis is logarithmic. The cursor moves through the sizes; described() and screen readers report the
/// values there. Ctrl+C copies the values as a table.
class BandwidthPlot : public PlotWidget
{
    Q_OBJECT

public:
    BandwidthPlot();

    void setCurves(const QList<BandwidthCurve> &curves);
    const QList<BandwidthCurve> &curves() const { return m_curves; }
    /// Index in sizesOf(curves()); -1 without a cursor.
    int cursor() const { return m_cursor; }
    /// Returns "64 KiB: 8 ranks 812 MB/s; 4 ranks 1,240 MB/s"; without a cursor for the largest size.
    QString words() const;
    /// Returns the values, tab-separated: a row for each size, a column for each number of ranks.
    QString text() const;
    // Places in pixels: the chart within its frame, and a point.
    QRect chart() const;
    QPoint placeOf(const BandwidthCurve::Point &point) const;

    QSize sizeHint() const override { return cells(60, 14); }
    QSize minimumSizeHint() const override { return cells(22, 7); }

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;
    void keyPressEvent(QKeyEvent *event) override;
    void moveCursor(CursorMove where, bool isFar) override;
    void placeCursor(const QPoint &place) override;
    void scaleAxes() final;

private:
    void setCursor(int to);
    void drawFrame(Canvas &canvas) const;
    void drawCurve(Canvas &canvas, int curve) const;
    void drawNames(Canvas &canvas) const;
    QList<PlotMark> sizeMarks() const;

    QList<BandwidthCurve> m_curves;
    QList<qint64> m_sizes;
    PlotAxis m_sizeAxis; ///< Logarithm to base 2 of the bytes.
    PlotAxis m_values;   ///< MB/s
    int m_cursor = -1;
};

} // namespace rankdeck
