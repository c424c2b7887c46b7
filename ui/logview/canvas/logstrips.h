#pragma once

#include "canvas/widget/canvaswidget.h"
#include "log/merge/mergedindex.h"
#include "widgets/logpalette.h"

class QScrollBar;

namespace rankdeck
{

/// One strip per log, all with the same time axis: it shows when the log printed and where its errors are;
/// errors differ in height and colour. The label before a strip switches the log on and off.
///
/// A click on a label, or Space, switches that log; with Ctrl it is the only one switched on. A click on a
/// strip requests that time. Up and Down move between logs, Left and Right between the times at which the
/// current log printed, Enter requests the time.
class LogStrips : public CanvasWidget
{
    Q_OBJECT

public:
    explicit LogStrips(QWidget *parent = nullptr);

    /// Sets other logs, all switched on, without activity.
    /// @param colors one per label, for rankColor().
    void setLogs(const QStringList &labels, const std::vector<int> &colors);
    /// Sets the activity of the logs. @param activity of these logs, in their order.
    void setActivity(const LogActivity &activity);
    /// Returns for each log whether it is switched on.
    const std::vector<bool> &shown() const { return m_isShown; }
    /// Returns the same with room for all logs, for a picture.
    std::unique_ptr<LogStrips> whole() const;
    /// Has room for a few logs; more are scrolled.
    QSize sizeHint() const override { return cells(60, std::min(int(m_labels.size()), mostRows)); }
    QSize minimumSizeHint() const override { return {stripLeft() + stripMargin, 0}; }
    /// Areas of a log's label and strip at the current scroll position.
    QRect labelRect(int log) const;
    QRect stripRect(int log) const;
    /// Returns the slot of the activity at `x`; -1 if there is none.
    int slotAt(int x) const;

Q_SIGNALS:
    void shownChanged();
    void timeRequested(rankdeck::LogTime time);

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;
    void roomChanged() override { layOut(); }
    void paletteChanged() override { m_palette = LogPalette(palette()); }
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *) override { schedule(); }
    void focusOutEvent(QFocusEvent *) override { schedule(); }

private:
    /// Everything that decides how a row looks; it is drawn when it changes.
    struct Row {
        std::vector<LogActivity::Slot> columns; ///< Columns of pixels.
        bool isShown = true;
        bool isCurrent = false;
        int cursor = -1; ///< Pixel.

        bool operator==(const Row &) const = default;
    };
    static constexpr int mostRows = 8;
    static constexpr int stripMargin = 6; ///< pixels

    void layOut();
    /// Number of rows that are seen, the last one perhaps in part.
    int rowsSeen() const;
    Row rowFor(int log) const;
    void drawRow(Canvas &canvas, int log, const Row &row);
    int stripLeft() const;
    int stripWidth() const;
    void toggle(int log, bool alone);
    void moveCursor(int step);
    void askForTime(int slot);
    void describeCurrent();

    LogPalette m_palette;
    QStringList m_labels;
    std::vector<int> m_colors;
    std::vector<bool> m_isShown;
    LogActivity m_activity;
    std::vector<Row> m_drawn; ///< By row on the screen.
    QScrollBar *m_bar;        ///< Its value is the first log on the screen.
    int m_labelCells = 0;     ///< Cells of the widest label.
    int m_current = 0;
    int m_cursor = -1; ///< Slot.
};

} // namespace rankdeck
