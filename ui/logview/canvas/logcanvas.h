#pragma once

#include "canvas/widget/canvaswidget.h"
#include "logview/canvas/logrows.h"

#include <QBasicTimer>

namespace rankdeck
{

/// The lines of a log that are on the screen, and the mouse on them. LogScroll decides the scroll position.
class LogCanvas : public CanvasWidget
{
    Q_OBJECT

public:
    /// `source` must outlive it.
    explicit LogCanvas(LogSource *source, QWidget *parent = nullptr);

    /// Whole lines that fit, at least 1.
    int rows() const { return std::max(1, height() / canvas().cellSize().height()); }
    /// Whole cells that fit, at least 1.
    int columns() const;

    /// The first line on the screen, and the last.
    qint64 top() const { return m_top.line; }
    qint64 bottom() const;
    const LogRows::Place &topPlace() const { return m_top; }
    void setTop(const LogRows::Place &place) { change(m_top, place); }
    /// Returns the layout for the rows and columns that fit now.
    LogRows logRows() const;
    /// Shows long lines in several rows instead of scrolling them sideways.
    void setWrapped(bool wrapped);
    int left() const { return m_left; }
    void setLeft(int cell);
    /// Marks all matches on the screen.
    void setMatcher(const std::optional<LogMatcher> &matcher) { change(m_matcher, matcher); }
    /// Tints a line, and marks the matches in it more strongly.
    void setCurrentLine(const std::optional<qint64> &line);
    std::optional<qint64> currentLine() const { return m_current; }
    /// Returns the line on the screen that was clicked, else the current one, else the first.
    qint64 lineMeant() const;
    /// Returns the cell of lineMeant() that was clicked, else the first.
    int cellMeant() const { return m_clicked && m_clicked->line == lineMeant() ? m_clicked->cell : 0; }
    /// Sets the patterns to highlight, each with a colour of LogPalette::highlight().
    void setHighlights(const QList<std::pair<LogMatcher, int>> &patterns) { change(m_highlights, patterns); }
    void setBookmarks(const LogBookmarks &bookmarks) { change(m_bookmarks, bookmarks); }
    /// Numbers the lines (from 1) in a gutter.
    void setNumbered(bool numbered)
    {
        m_numbered = numbered;
        fitGutter();
    }
    /// Marks a line with a sign in the gutter and a tint; needs setNumbered().
    void setMarkedLine(const std::optional<qint64> &line) { change(m_marked, line); }
    /// Sets the text shown when there are no lines.
    void setEmptyText(const QString &text) { change(m_emptyText, text); }

    const LogSelection &selection() const { return m_selection; }
    void setSelection(const LogSelection &selection) { change(m_selection, selection); }
    /// Returns the selected text if it is within one line.
    QString selectedText() const;
    /// To be called when the source's lines changed.
    void linesChanged();
    /// Forgets the widest line: another log is shown.
    void forgetWidth() { m_widest = 0; }
    QString visibleText() const;
    /// Returns the place in the log at a point of the canvas.
    CellPosition positionAt(const QPoint &point) const;
    /// Returns where a cell is on the canvas, or would be beyond its edges.
    QRect rectOf(const CellPosition &place) const;

    QSize minimumSizeHint() const override { return cells(16, 3) + QSize(2 * LogRowPainter::margin, 0); }

Q_SIGNALS:
    /// The widest line seen so far.
    void widthInCellsChanged(int cells);
    /// The number of rows or columns that fit may have changed.
    void fitChanged();
    void selectingBegan();
    void linePressed(qint64 line);
    /// A cell of a line was pressed with Ctrl.
    void cellPressed(qint64 line, int cell);
    void selectionFinished();
    /// The mouse is held beyond the edge.
    void scrollRequested(int lines, int cells);

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;
    void roomChanged() override { Q_EMIT fitChanged(); }
    void paletteChanged() override { m_palette = LogPalette(palette()); }
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void timerEvent(QTimerEvent *event) override;

private:
    /// Sets a member; rows that look different then are drawn with the next frame.
    template <typename Value>
    void change(Value &member, const Value &value)
    {
        member = value;
        schedule();
    }
    LogRow rowFor(const LogRows::Row &place) const;
    /// Where the text begins, in pixels.
    int textLeft() const { return LogRowPainter::margin + m_gutter * canvas().cellSize().width(); }
    void fitGutter();
    void moveRows(Canvas &canvas, const QList<LogRows::Row> &shown);

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
    std::optional<CellPosition> m_clicked; ///< Reset when another line becomes current.
    bool m_numbered = false;
    int m_digits = 0; ///< Digits of the largest line number so far.
    int m_gutter = 0; ///< Cells.
    std::optional<qint64> m_marked;
    LogSelection m_selection;
    bool m_selecting = false;
    bool m_dragging = false;
    QBasicTimer m_edgeTimer;
    LineRate m_rate;
    QElapsedTimer m_clock;

    QList<LogRow> m_drawn;
    QList<LogRows::Row> m_drawnRows; ///< The rows that m_drawn shows.
    bool m_drawnEmptyText = false;
};

} // namespace rankdeck
