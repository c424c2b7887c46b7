#pragma once

#include "log/line/sourceplace.h"
#include "logview/find/logfind.h"
#include "logview/find/logjumps.h"
#include "logview/highlight/highlights.h"
#include "logview/view/logscroll.h"
#include "logview/view/logtaking.h"
#include "widgets/editor.h"

namespace rankdeck
{

class MarkStrip;

/// How logs look in all views, as the user chose in the menu.
struct LogLook {
    bool isNumbered = false; ///< Lines are numbered, from 1.
    bool isWrapped = false;  ///< Long lines take several rows instead of being scrolled sideways.
    qreal textSize = 0;      ///< Points; 0: that of the window.
    QString family{};        ///< Font; empty: the usual one.
    QList<Highlight> highlights{};
};

/// One log, live: only the lines on the screen are fetched and drawn. Follows the end, see LogScroll. The
/// lines live in another thread; they serve one view at a time.
class LogView : public QWidget
{
    Q_OBJECT

public:
    explicit LogView(QWidget *parent = nullptr);

    /// Shows another log, from its end; nullptr: none. The lines may be deleted at any time in their thread.
    void setSource(LogLines *lines);
    LogLines *source() const { return m_source->lines(); }
    /// Names the log for screen readers, such as "rank 3".
    void setTitle(const QString &title);
    /// Sets the text shown while there are no lines; "No output yet." by default.
    void setEmptyText(const QString &text);
    /// Shows a file, not a log: from its beginning, numbered, never following. For a view without a source.
    void showAsFile();
    void setLook(const LogLook &look);
    /// Sets where relative paths in the lines of each log begin.
    void setDirectories(const QStringList &directories) { m_directories = directories; }
    /// Offers to search all logs; allRequested() follows.
    void offerAll() { m_findBar->offerAll(); }

    // See LogScroll.
    bool isFollowing() const { return m_scroll->isFollowing(); }
    void setFollowing(bool following) { m_scroll->setFollowing(following); }
    void showLine(qint64 line) { m_scroll->showLine(line); }
    /// For a view that shows a file.
    void markLine(qint64 line, qsizetype column = 0) { m_scroll->markLine(line, column); }
    /// Marks a line by its number (0-based) in one of the files that the lines are taken from.
    void markOrigin(int log, qint64 lineInFile) { m_jumps->findOrigin(log, lineInFile); }
    void clearMark() { m_scroll->clearMark(); }
    std::optional<qint64> markedLine() const { return m_scroll->markedLine(); }
    void setTopLine(qint64 line) { m_scroll->setTopLine(line); }
    qint64 topLine() const { return m_canvas->top(); }
    /// Returns the text on the screen, plain, lines separated by '\n'.
    QString visibleText() const { return m_canvas->visibleText(); }

    void openFind() { m_find->open(); }
    void findNext(bool backward) { m_find->next(backward); }
    bool eventFilter(QObject *watched, QEvent *event) override;
    void selectAll();
    /// Puts the selected text on the clipboard; copied() when it is there.
    void copy() { m_taking->copy(QClipboard::Clipboard); }

    /// Errors, times, lines by their number, marks.
    LogJumps *jumps() const { return m_jumps; }
    /// Copies, files, the history of a line.
    LogTaking *taking() const { return m_taking; }

Q_SIGNALS:
    void lineCountChanged(qint64 count);
    /// For lines that were taken from files: the mouse was pressed on one, or the user asked for its place.
    void linePressed(const rankdeck::LogPage::Origin &origin);
    void placeRequested(const rankdeck::LogPage::Origin &origin);
    // See LogScroll.
    void zoomRequested(int steps);
    void followingChanged(bool following);
    void scrolledTo(rankdeck::LogTime time);
    void newLinesChanged(qint64 count);
    /// For the user: the log cannot be read, a copy was cut. Empty when it no longer holds.
    void noticeChanged(const QString &sentence);
    void copied();
    // From the context menu; not offered if nothing is connected.
    /// Lines with a text are to be shown, or those without it.
    void filterRequested(const QString &text, bool isExcluded);
    void highlightRequested(const QString &text);
    /// All logs are to be searched; without a text the user is to be asked for one.
    void allRequested(const rankdeck::LogPattern &pattern);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void connectParts();
    void addActions();
    void reportLineCount();
    void setNotice(const QString &sentence)
    {
        if (std::exchange(m_notice, sentence) != sentence)
            Q_EMIT noticeChanged(sentence);
    }
    void offerActions();
    /// Returns the file that a line was taken from; empty if that is not known.
    QString pathOf(qint64 line) const;
    std::optional<SourcePlace> sourceAt(qint64 line, int cell) const;
    void openSource(const SourcePlace &place) { setNotice(openInEditor(place.path, place.line)); }

    LogSource *m_source;
    LogCanvas *m_canvas;
    LogScroll *m_scroll;
    FindBar *m_findBar;
    LogFind *m_find;
    LogJumps *m_jumps;
    LogTaking *m_taking;
    MarkStrip *m_marks;
    QStringList m_directories;
    QAction *m_placeAction = nullptr;    ///< Shows a merged line in its own log.
    QList<QAction *> m_selectionActions; ///< Do something with the selected text.
    QAction *m_allAction = nullptr;      ///< Searches all logs.
    QAction *m_sourceAction = nullptr;   ///< Opens the source file that the line names.
    std::optional<SourcePlace> m_sourcePlace;
    bool m_isFile = false;
    QString m_emptyText;
    QString m_notice;
    QString m_jumpNotice;
    qint64 m_reportedLines = -1;
};

} // namespace rankdeck
