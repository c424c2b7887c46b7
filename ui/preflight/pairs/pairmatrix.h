#pragma once

#include "canvas/widget/canvaswidget.h"
#include "preflight/pairs/pairpainter.h"

class QScrollBar;

namespace rankdeck
{

/// Shows latency or bandwidth between the ranks of a launch, a cell each way: colour and number, a frame and
/// "!" for odd pairs, "×" without a connection, "·" if not measured. Arrows, Home, End, Page Up and Page Down
/// move the cursor, with Ctrl to the first and last row; N goes to the next odd pair; Ctrl+C copies the
/// table. described() and screen readers report the cursor's cell.
class PairMatrix : public CanvasWidget
{
    Q_OBJECT

public:
    explicit PairMatrix(QWidget *parent = nullptr);

    /// Keeps the cursor, if the new table has its cell.
    void setTable(const PairTable &table);
    const PairTable &table() const { return m_table; }
    void setMeasure(PairMeasure measure);
    PairMeasure measure() const { return m_measure; }

    /// (column, row) of the cursor.
    QPoint cursor() const { return m_cursor; }
    void setCursorTo(int row, int column);
    /// Returns the description of the cursor's cell, or that nothing has been measured yet.
    QString words() const
    {
        return m_table.isMeasured() ? m_table.words(m_cursor.y(), m_cursor.x()) : PairPainter::nothingText();
    }
    PairGeometry geometryOfParts() const;
    const HeatScale &scale() const { return m_scale; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return cells(22, 9); }

public Q_SLOTS:
    /// Copies the table to the clipboard, tab-separated.
    void copy() const;
    /// Moves the cursor to the next odd pair, worst first.
    void goToNextOdd();

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;
    bool event(QEvent *event) override;
    void roomChanged() override { layOut(); }
    void paletteChanged() override { updateScale(); }
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *) override { schedule(); }
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void layOut();
    void updateScale();
    int headingCharacters() const;

    PairTable m_table;
    PairMeasure m_measure = PairMeasure::Latency;
    HeatScale m_scale;
    QPoint m_cursor = {1, 0}; ///< (column, row); starts on a cell that has a value.
    int m_nextOdd = 0;
    QScrollBar *m_across;
    QScrollBar *m_down;
    QHash<QPoint, ShownPairCell> m_drawn;
};

} // namespace rankdeck
