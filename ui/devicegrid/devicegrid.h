#pragma once

#include "canvas/canvaswidget.h"
#include "devicegrid/devicecell.h"
#include "devicegrid/devicecellpainter.h"
#include "devicegrid/devicegridgeometry.h"
#include "run/runstate.h"

#include <QHash>
#include <QList>
#include <QSet>
#include <QTimer>

class QScrollBar;

namespace rankdeck
{

/// The devices of a run, a cell each, below a heading per server. Draws only what changed; scrolls by itself.
/// Arrows move the cursor; Enter, Space or a click choose that rank; with Ctrl one more or less; with Shift
/// the stretch from the last one. The menu key or a right click ask for a menu.
class DeviceGrid : public CanvasWidget
{
    Q_OBJECT

public:
    explicit DeviceGrid(QWidget *parent = nullptr);

    /// Show a run as it is now. Another run than the last one starts with nothing chosen.
    void setState(const RunState &state);
    const QStringList &headings() const { return m_headings; }
    int cellCount() const { return int(m_cells.size()); }
    const DeviceCell &cell(int index) const { return m_cells.at(index); }
    /// Where a cell is within the widget, scrolled as it is.
    QRect cellRect(int index) const;
    /// Mark these as chosen, without ranksChosen().
    void setChosen(const QList<int> &processes);
    QList<int> chosen() const;
    /// Move the cursor to the cell of `process` and scroll there.
    void reveal(int process);
    int currentCell() const { return m_current; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public Q_SLOTS:
    /// The last line of a process's log.
    void setLastLine(int process, const QString &line);

Q_SIGNALS:
    /// The user chose these, by index in LaunchPlan::processes, in that order. Never empty.
    void ranksChosen(const QList<int> &processes);
    /// A menu for the chosen ranks at this place of the screen.
    void menuWanted(const QPoint &place);

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    enum class Choice { Only, Toggle, Stretch };

    void rebuild();
    void layOut();
    void setCurrent(int index);
    void choose(int index, Choice choice);
    void updateClock();
    void describeCurrent();
    DeviceCellMarks marks(int index) const;

    RunState m_state;
    QHash<int, QString> m_lastLines;
    QStringList m_headings;
    QList<int> m_cellsPerHeading;
    QList<DeviceCell> m_cells;
    DeviceGridGeometry m_geometry;
    QScrollBar *m_bar;
    QTimer m_clock; ///< Runs only while a rank does and the grid is visible.
    QSet<int> m_chosen;
    int m_current = -1;
    int m_anchor = -1; ///< Where a stretch starts.

    QHash<int, ShownDeviceCell> m_drawn; ///< What is on the screen, by cell.
    QHash<int, QString> m_drawnHeadings;
};

} // namespace rankdeck
