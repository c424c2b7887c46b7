#pragma once

#include "base/listcomma.h"
#include "picture/picture.h"
#include "plot/curvepainter.h"

namespace rankdeck
{

/// Several charts of the same curves over one axis. Draws only changed columns of pixels. Shows the values at
/// the cursor in a line and tells them to screen readers, and those under the mouse pointer in a tool tip.
/// With Ctrl the cursor moves by a tenth. Zoom: drag over a range, Ctrl and the wheel, +, - and 0 (all);
/// Shift with the wheel or with Left and Right moves the range.
class CurvePlot : public PlotWidget
{
    Q_OBJECT

public:
    using PlotWidget::PlotWidget;

    /// Whether no chart has a point.
    bool isEmpty() const;
    /// The cursor's place along the plot.
    std::optional<qint64> cursor() const { return m_cursor; }
    const QList<PlotName> &names() const { return m_names; }
    const QList<PlotChart> &charts() const { return m_charts; }
    PlotGeometry geometryOfParts() const { return partsIn(size(), canvas().cellSize()); }
    const PlotAxis &axisAlong() const { return m_along; }

    /// Draws this curve above the others and thicker; -1: none.
    void setEmphasized(int curve);
    int emphasized() const { return m_emphasized; }

    /// Returns the visible range; nothing: all.
    std::optional<PlotRange> range() const { return m_range; }
    void setRange(const std::optional<PlotRange> &range);

    /// Returns the values at the cursor, or the last ones.
    QString readout() const { return readoutAt(m_cursor, listSemicolon()); }
    /// Returns a picture of all charts, without the cursor.
    /// @param name of the file that is offered.
    Picture picture(const QString &name);
    void paintPicture(QPainter &painter) override;

    QSize sizeHint() const override { return cells(80, 24); }
    QSize minimumSizeHint() const override { return cells(30, 8); }

protected:
    void setContents(const QList<PlotName> &names, const QList<PlotChart> &charts);
    /// Returns an axis from the first to the last place.
    virtual PlotAxis axisFor(qint64 first, qint64 last, int marks, AxisEnd end) const = 0;
    /// Returns the values at a place, or the last ones. @param separator between curves.
    virtual QString readoutAt(std::optional<qint64> place, const QString &separator) const = 0;
    virtual QString markAlong(const PlotAxis &along, double mark) const = 0;
    virtual QString emptyText() const = 0;
    /// Returns a plot with all charts; null: this has them all.
    virtual std::unique_ptr<CurvePlot> whole() const { return nullptr; }
    /// Whether charts may stand side by side.
    virtual bool mayStandBeside() const { return false; }
    /// The first and the last place of the cursor: those of points; equal without points.
    virtual qint64 firstPlace() const { return m_first; }
    qint64 lastPlace() const { return m_last; }
    /// Returns the point at a place, or the last before it; null if there is none.
    static const PlotPoint *pointAt(const std::vector<PlotPoint> &curve, qint64 place);

    void drawCanvas(Canvas &canvas, bool everything) override;
    void moveCursor(CursorMove where, bool isFar) override;
    void placeCursor(const QPoint &place) override;
    void scaleAxes() override;
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void describe() { setAccessibleDescription(isEmpty() ? emptyText() : readout()); }

private:
    QByteArray svg() const;
    PlotGeometry partsIn(const QSize &size, const QSize &cell) const;
    /// @param withCursor also what belongs to the mouse and the keyboard.
    ShownCurves shown(const PlotGeometry &parts, bool withCursor) const;
    std::vector<int> rowsOfLabels(const PlotGeometry &parts, int chart) const;
    void setCursor(qint64 place);
    /// The shown part of the curve.
    std::vector<PlotPoint> seen(const std::vector<PlotPoint> &curve) const;
    std::optional<qint64> placeAt(const QPoint &at) const;
    PlotRange shownRange() const { return {qint64(m_along.least), qint64(m_along.most)}; }
    void zoom(double factor, qint64 around);
    void pan(double share);

    QList<PlotName> m_names;
    QList<PlotChart> m_charts;
    PlotAxis m_along;
    QList<PlotAxis> m_values; ///< By chart.
    qint64 m_first = 0;
    qint64 m_last = 0;
    std::optional<qint64> m_cursor;
    std::optional<PlotRange> m_range;
    std::optional<PlotRange> m_dragged; ///< From where to where, in either direction.
    int m_emphasized = -1;
    std::optional<ShownCurves> m_drawn; ///< Contents on the screen; nothing: a sentence.
};

} // namespace rankdeck
