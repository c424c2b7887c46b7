#pragma once

#include "canvas/canvaswidget.h"
#include "log/logactivity.h"
#include "logview/logpalette.h"

#include <QList>
#include <QStringList>

#include <vector>

namespace rankdeck
{

/// A strip per log that shows when it printed and where its errors are, all over the same time; errors stand
/// out by their height as by their colour. Before it its label, which switches the log on and off.
///
/// A click on a label or Space switch that log, with Ctrl it alone on; a click on a strip asks for that time.
/// Up and Down move between the logs, Left and Right between the times at which the current one printed,
/// Enter asks for the time.
class LogStrips : public CanvasWidget
{
    Q_OBJECT

public:
    explicit LogStrips(QWidget *parent = nullptr);

    /// Other logs, all switched on; without activity so far.
    /// @param colors as rankColor() takes them, one a label.
    void setLogs(const QStringList &labels, const std::vector<int> &colors);
    /// Of these logs, in their order.
    void setActivity(const LogActivity &activity);
    /// Of each log.
    const std::vector<bool> &shown() const { return m_isShown; }
    /// Rows that fit are drawn; the caller scrolls.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// Where a log's label and strip are.
    QRect labelRect(int log) const;
    QRect stripRect(int log) const;
    /// The slot of the activity that is drawn at this place of a strip; -1: none.
    int slotAt(int x) const;

Q_SIGNALS:
    void shownChanged();
    void timeWanted(rankdeck::LogTime time);

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;
    void changeEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    /// What a row shows; drawn again when it would look different.
    struct Row {
        std::vector<LogActivity::Slot> columns; ///< Of pixels.
        bool isShown = true;
        bool isCurrent = false;
        int cursor = -1; ///< Pixel.

        bool operator==(const Row &) const = default;
    };
    Row rowFor(int log) const;
    void drawRow(Canvas &canvas, int log, const Row &row);
    int stripLeft() const;
    int stripWidth() const;
    int xOf(int slot) const;
    void toggle(int log, bool alone);
    void moveCursor(int step);
    void askForTime(int slot);
    void describeCurrent();

    LogPalette m_palette;
    QStringList m_labels;
    std::vector<int> m_colors;
    std::vector<bool> m_isShown;
    LogActivity m_activity;
    std::vector<Row> m_drawn;
    int m_current = 0;
    int m_cursor = -1; ///< Slot.
};

} // namespace rankdeck
