#pragma once

#include "canvas/canvaswidget.h"
#include "preflight/heatscale.h"
#include "preflight/pairgeometry.h"
#include "preflight/pairpainter.h"
#include "preflight/pairtable.h"

#include <QHash>

class QScrollBar;

namespace rankdeck
{

/// Latency or bandwidth between the ranks of a launch, a cell each way: colour and number, a frame and "!"
/// around what stands out, "×" where there is no way, "·" where nothing was measured. Arrows, Home, End, Page
/// Up and Page Down move a cursor, with Ctrl to the first and last row; N goes through the pairs that stand
/// out; Ctrl+C copies all of it as a table. What the cursor's cell says is told by described() and to screen
/// readers.
class PairMatrix : public CanvasWidget
{
    Q_OBJECT

public:
    explicit PairMatrix(QWidget *parent = nullptr);

    /// The cursor stays where it is as long as there is such a cell.
    void setTable(const PairTable &table);
    const PairTable &table() const { return m_table; }
    void setMeasure(PairMeasure measure);
    PairMeasure measure() const { return m_measure; }

    /// (column, row) of the cursor.
    QPoint cursor() const { return m_cursor; }
    void setCursorTo(int row, int column);
    /// What the cursor's cell says; before anything was measured that.
    QString words() const;
    PairGeometry geometryOfParts() const;
    const HeatScale &scale() const { return m_scale; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public Q_SLOTS:
    /// To the clipboard, tab-separated.
    void copy() const;
    /// The cursor to the next pair that stands out, worst first; nothing where none does.
    void goToNextOdd();

Q_SIGNALS:
    void described(const QString &words);

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void layOut();
    void takeScale();
    void describe();
    int headingCharacters() const;

    PairTable m_table;
    PairMeasure m_measure = PairMeasure::Latency;
    HeatScale m_scale;
    QPoint m_cursor = {1, 0}; ///< (column, row); first on a cell that says something.
    int m_nextOdd = 0;
    QScrollBar *m_across;
    QScrollBar *m_down;
    QHash<QPoint, ShownPairCell> m_drawn;
};

} // namespace rankdeck
