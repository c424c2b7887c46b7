#pragma once

#include "log/loglines.h"
#include "logview/highlightset.h"
#include "logview/logrows.h"
#include "logview/shownline.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QAction;
class QScrollBar;

namespace rankdeck
{

class FindBar;
class LogCanvas;
class LogFind;
class LogJumps;
class LogLines;
class LogSource;
class LogTaking;

/// One log, live: only the lines on the screen are fetched and drawn. Follows the end until the user scrolls
/// up, and again when he is back there. The lines live in another thread; they serve one view at a time.
class LogView : public QWidget
{
    Q_OBJECT

public:
    explicit LogView(QWidget *parent = nullptr);
    ~LogView() override;

    /// Show another log, from its end; nullptr for none. The lines may be deleted at any time in their own
    /// thread.
    void setSource(LogLines *lines);
    LogLines *source() const;
    /// Whose log it is, such as "rank 3", for screen readers.
    void setTitle(const QString &title);
    /// What to say while there are no lines; "No output yet." unless told otherwise.
    void setEmptyText(const QString &text);

    /// Show a file rather than a log: from its beginning, with line numbers, never following its end. For a
    /// view without a source.
    void showAsFile();

    /// Number the lines of the file, from 1.
    void setNumbered(bool numbered);
    void setHighlights(const QList<Highlight> &highlights);
    /// Show long lines in several rows instead of scrolling them sideways.
    void setWrapped(bool wrapped);
    /// Of the log's characters, in points.
    void setTextSize(qreal points);

    bool isFollowing() const { return m_following; }
    void setFollowing(bool following);
    qint64 topLine() const;
    /// What is on the screen, plain text, lines separated by '\n'.
    QString visibleText() const;

    /// Scroll to a line (0-based), in the middle of the view unless it is on the screen already.
    void showLine(qint64 line);
    /// Mark a line (0-based) and bring it and its `column` (0-based, in characters) onto the screen, now or
    /// once they were read. For a view that shows a file.
    void markLine(qint64 line, qsizetype column = 0);
    void clearMark();
    std::optional<qint64> markedLine() const { return m_markedLine; }
    /// Begin with this line at the top, now or once it was read.
    void setTopLine(qint64 line);
    /// Go to the first line that is not before a time.
    void showTime(rankdeck::LogTime time);
    /// The same, with that line at the top, as another view shows it.
    void alignTo(rankdeck::LogTime time);
    void openFind();
    void findNext(bool backward);
    void selectAll();
    /// Put the selected text on the clipboard; copied() when it is there.
    void copy();
    /// Ask to see the line that is meant (LogCanvas::lineMeant) in the log it is from; see placeWanted().
    void askForPlaceOfLine();

    /// Errors, times, lines by their number, marks.
    LogJumps *jumps() const { return m_jumps; }
    /// Copies, files, the history of a line.
    LogTaking *taking() const { return m_taking; }

Q_SIGNALS:
    /// How many lines there are.
    void lineCountChanged(qint64 count);
    /// Of lines that were taken from files: the mouse was pressed on one, or the user asked for its place.
    void linePressed(const rankdeck::LogPage::Origin &origin);
    void placeWanted(const rankdeck::LogPage::Origin &origin);
    /// The wheel was turned with Ctrl: larger characters, or smaller where it is negative.
    void zoomWanted(int steps);
    void followingChanged(bool following);
    /// The user scrolled, away from the end, to a line of this time.
    void scrolledTo(rankdeck::LogTime time);
    /// Lines that came since the view stopped following; 0 while it follows. At most once a second.
    void newLinesChanged(qint64 count);
    /// Something the user should know: the log cannot be read, a copy was cut. Empty when it no longer holds.
    void noticeChanged(const QString &sentence);
    void copied();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void connectSource();
    void connectFind();

    LogRows::Place lastTop() const;
    void scrollTo(const LogRows::Place &top);
    void tellScroll();
    void tellLineCount();
    void startAt(qint64 line);
    void scrollBy(qint64 rows);
    void setLeft(int cell);
    void onPage();
    void onGrew();
    void onRestarted();
    void onFit();
    void goTo(qint64 line);
    void revealWanted();
    void revealMarkedColumn();
    void revealCells(CellRange cells);
    void fetch();
    void showBars();
    void showBarsSoon();
    void showNewLines();
    void setNotice(const QString &sentence);

    LogSource *m_source;
    LogCanvas *m_canvas;
    QScrollBar *m_vertical;
    QScrollBar *m_horizontal;
    FindBar *m_findBar;
    LogFind *m_find;
    LogJumps *m_jumps;
    LogTaking *m_taking;
    QTimer m_barTimer;
    bool m_isFile = false;
    bool m_following = true;
    bool m_showingBars = false;
    qint64 m_linesWhenLeft = 0;
    qint64 m_newLines = 0;
    QString m_emptyText;
    QString m_notice;
    QPoint m_wheelRest;
    int m_widest = 0;
    QString m_jumpNotice;
    qint64 m_toldLines = -1;
    bool m_tellsScroll = false; ///< Once the top line was read.
    QAction *m_placeAction;
    std::optional<qint64> m_markedLine;
    std::optional<qsizetype> m_markedColumn; ///< Until it was brought onto the screen.
    int m_rowsBefore = 0;                    ///< That fitted when last looked.
    std::optional<qint64> m_wantedTop;       ///< Until the file was read that far.
    bool m_wantsMark = false;                ///< The same of the marked line.
};

} // namespace rankdeck
