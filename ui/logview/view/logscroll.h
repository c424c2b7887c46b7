#pragma once

#include "base/oneshottimer.h"
#include "logview/canvas/logcanvas.h"

#include <QPoint>
#include <QScrollBar>

namespace rankdeck
{

/// Decides which part of a log its view shows: follows the end until the user scrolls up, and again when the
/// user is back there; has the scroll bars, and fetches the lines that are needed.
class LogScroll : public QObject
{
    Q_OBJECT

public:
    /// @param view parent of the scroll bars; nothing is fetched while it is hidden. All must outlive this
    /// object.
    LogScroll(LogSource *source, LogCanvas *canvas, QWidget *view);

    QScrollBar *vertical() const { return m_vertical; }
    QScrollBar *horizontal() const { return m_horizontal; }
    bool isFollowing() const { return m_following; }
    void setFollowing(bool following);
    /// Stops following, for good.
    void neverFollow()
    {
        m_neverFollows = true;
        setFollowing(false);
    }
    /// Requests the lines that the view needs from the source.
    void fetch();

    void setLeft(int cell) { m_horizontal->setValue(cell); }
    /// Scrolls to a line (0-based), in the middle of the view unless it is on screen already.
    void showLine(qint64 line);
    /// The same, and makes it the current line.
    void goTo(qint64 line);
    /// Begins with this line at the top, now or once it was read.
    void setTopLine(qint64 line)
    {
        m_pendingTop = line;
        revealPending();
    }
    /// The same as another view: scrolledTo() is not emitted.
    void alignTop(qint64 line);
    /// Marks a line (0-based) and shows it with its `column` (0-based, characters), now or once it was read.
    void markLine(qint64 line, qsizetype column);
    void clearMark();
    std::optional<qint64> markedLine() const { return m_markedLine; }
    /// Scrolls sideways to cells of the marked or current line, which is `lineCells` wide.
    void showCells(CellRange cells, int lineCells);

    /// Scrolls by a key; returns false if the key is for something else.
    bool pressKey(const QKeyEvent &event);
    void turnWheel(const QWheelEvent &event);
    bool eventFilter(QObject *watched, QEvent *event) override;

Q_SIGNALS:
    /// The wheel was turned with Ctrl: larger characters, or smaller if negative.
    void zoomRequested(int steps);
    void followingChanged(bool following);
    /// The user scrolled, away from the end, to a line of this time.
    void scrolledTo(rankdeck::LogTime time);
    /// Lines that came since the view stopped following; 0 while it follows. At most once a second.
    void newLinesChanged(qint64 count);

private:
    LogRows::Place lastTop() const { return m_canvas->logRows().lastTop(); }
    void scrollTo(const LogRows::Place &top);
    void scrollBy(qint64 rows) { scrollTo(m_canvas->logRows().moved(m_canvas->topPlace(), rows)); }
    void reportScroll();
    void onPage();
    void onRestarted();
    void onFit();
    void revealPending();
    void revealMarkedColumn();
    void showBars();
    void showBarsSoon();
    void showNewLines();

    LogSource *m_source;
    LogCanvas *m_canvas;
    QWidget *m_view;
    QScrollBar *m_vertical;
    QScrollBar *m_horizontal;
    OneShotTimer m_barTimer;
    bool m_neverFollows = false;
    bool m_following = true;
    bool m_showingBars = false;
    qint64 m_linesWhenLeft = 0; ///< Lines there were when the view stopped following.
    qint64 m_newLines = 0;
    int m_widest = 0; ///< Cells of the widest line seen.
    QPoint m_wheelRest;
    bool m_reportsScroll = false; ///< Pending until the top line was read.
    std::optional<qint64> m_markedLine;
    std::optional<qsizetype> m_markedColumn; ///< Until it was brought onto the screen.
    int m_rowsBefore = 0;                    ///< Rows that fitted before the last change of size.
    std::optional<qint64> m_pendingTop;      ///< Until the file was read that far.
    bool m_pendingMark = false;              ///< The same for the marked line.
};

} // namespace rankdeck
