#pragma once

#include "canvas/canvaswidget.h"
#include "log/logmatcher.h"
#include "logview/linerate.h"
#include "logview/logbookmarks.h"
#include "logview/logpalette.h"
#include "logview/logrow.h"
#include "logview/logrows.h"
#include "logview/logselection.h"

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QList>

#include <optional>
#include <utility>

namespace rankdeck
{

class LogSource;

/// The lines of a log that are on the screen, and the mouse on them. Where to stand in the log is LogView's
/// business.
class LogCanvas : public CanvasWidget
{
    Q_OBJECT

public:
    /// `source` must outlive it.
    explicit LogCanvas(LogSource *source, QWidget *parent = nullptr);

    /// Whole lines that fit, at least 1.
    int rows() const;
    /// Whole cells that fit, at least 1.
    int columns() const;

    /// The first line on the screen, and the last.
    qint64 top() const { return m_top.line; }
    qint64 bottom() const;
    const LogRows::Place &topPlace() const { return m_top; }
    void setTop(const LogRows::Place &place);
    /// For the rows and columns that fit now.
    LogRows logRows() const;
    /// Show long lines in several rows instead of scrolling them sideways.
    void setWrapped(bool wrapped);
    int left() const { return m_left; }
    void setLeft(int cell);
    /// What to mark wherever it is on the screen.
    void setMatcher(const std::optional<LogMatcher> &matcher);
    /// Tint a line, and mark what matches in it more strongly.
    void setCurrentLine(const std::optional<qint64> &line);
    std::optional<qint64> currentLine() const { return m_current; }
    /// The line on the screen that was clicked, else the current one, else the first.
    qint64 lineMeant() const;
    /// What stands out, each with a colour of LogPalette::highlight().
    void setHighlights(const QList<std::pair<LogMatcher, int>> &highlights);
    void setBookmarks(const LogBookmarks &bookmarks);
    /// Number the lines (from 1) in a gutter.
    void setNumbered(bool numbered);
    /// Mark a line with a sign in the gutter and a tint; needs setNumbered().
    void setMarkedLine(const std::optional<qint64> &line);
    /// What to say where there are no lines.
    void setEmptyText(const QString &text);

    const LogSelection &selection() const { return m_selection; }
    void setSelection(const LogSelection &selection);
    /// The source's lines changed.
    void linesChanged();
    /// Forget what was measured: another log.
    void forgetWidth();
    QString visibleText() const;

    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The widest line seen so far.
    void widthInCellsChanged(int cells);
    /// The rows or columns that fit may be others.
    void fitChanged();
    void selectingBegan();
    void linePressed(qint64 line);
    void selectionFinished();
    /// The mouse is held beyond the edge.
    void scrollWanted(int lines, int cells);

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void timerEvent(QTimerEvent *event) override;

private:
    LogRow rowFor(const LogRows::Row &place) const;
    QRect rowArea(int row) const;
    /// Where the text begins, in pixels.
    int textLeft() const;
    void fitGutter();
    void moveRows(Canvas &canvas, const QList<LogRows::Row> &shown);
    void drawEmptyText(Canvas &canvas);
    CellPosition positionAt(const QPoint &point) const;
    void dragTo(const QPoint &point);

    LogSource *m_source;
    LogPalette m_palette;
    LogRows m_rows;
    LogRows::Place m_top;
    int m_left = 0;
    int m_widest = 0;
    QString m_emptyText;
    std::optional<LogMatcher> m_matcher;
    QList<std::pair<LogMatcher, int>> m_highlights;
    LogBookmarks m_bookmarks;
    std::optional<qint64> m_current;
    std::optional<qint64> m_clicked; ///< Since then.
    bool m_numbered = false;
    int m_gutter = 0; ///< Cells.
    std::optional<qint64> m_marked;
    LogSelection m_selection;
    bool m_selecting = false;
    bool m_dragging = false;
    QBasicTimer m_edgeTimer;
    LineRate m_rate;
    QElapsedTimer m_clock;

    QList<LogRow> m_drawn;
    QList<LogRows::Row> m_drawnRows; ///< What m_drawn are.
    bool m_drawnEmptyText = false;
};

} // namespace rankdeck
