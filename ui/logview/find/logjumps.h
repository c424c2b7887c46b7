#pragma once

#include "logview/source/logsource.h"
#include "widgets/widgetparts.h"

namespace rankdeck
{

class LogCanvas;

/// Asks where to go in a log: "1234" is a line, "14:22:26" or "10m" a time (see timeGiven()).
class PlaceDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param here the line (0-based) that is shown at first.
    /// @param lines their number.
    /// @param timeHere gives the day for a time without one; without it that is today.
    PlaceDialog(qint64 here, qint64 lines, const std::optional<LogTime> &timeHere, QWidget *parent = nullptr);

    void accept() override;

Q_SIGNALS:
    /// 0-based.
    void lineChosen(qint64 line);
    void timeChosen(rankdeck::LogTime time);

private:
    qint64 m_lines;
    std::optional<LogTime> m_timeHere;
    QLineEdit *m_place;
    QLabel *m_trouble;
};

/// Finds places in a log: the next error, a line by its number, a time, bookmarks.
class LogJumps : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it; `view` is the parent of dialogs.
    LogJumps(LogSource *source, LogCanvas *canvas, QWidget *view);

    /// Goes to the next line where an error begins, or the previous one.
    void nextError(bool backward);
    /// Asks the user for a line of the file or a time.
    void askForPlace();
    /// Goes to the first line that is not before a time.
    void findTime(rankdeck::LogTime time);
    /// The same, with that line at the top, as another view shows it: answered by topRequested().
    void alignTo(LogTime time);

    /// Marks a line (0-based) of one of the files that the lines are taken from: answered by markRequested().
    void findOrigin(int log, qint64 lineInFile);

    /// Adds or removes the bookmark of LogCanvas::lineMeant().
    void toggleBookmark();
    void nextBookmark(bool backward);
    const LogBookmarks &bookmarks() const { return m_bookmarks; }

Q_SIGNALS:
    void lineRequested(qint64 line);
    void topRequested(qint64 line);
    void markRequested(qint64 line);
    void bookmarksChanged();
    /// Why no place was found; empty when that no longer holds.
    void said(const QString &sentence);

private:
    void onFound(LogSource::Search search, qint64 line);
    void onNotFound(LogSource::Search search);
    bool alignOn();

    LogSource *m_source;
    LogCanvas *m_canvas;
    QWidget *m_view;
    LogBookmarks m_bookmarks;
    bool m_isBackward = false;
    bool m_isAligning = false;          ///< The last search is for alignTo().
    std::optional<LogTime> m_nextAlign; ///< To be searched for when that search ends.
};

} // namespace rankdeck
