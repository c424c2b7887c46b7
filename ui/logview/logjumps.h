#pragma once

#include "logview/logbookmarks.h"
#include "logview/logsource.h"

#include <QObject>
#include <QString>

class QWidget;

namespace rankdeck
{

class LogCanvas;

/// Ways to a place in a log that is not on the screen: the next error, a line by its number, a time.
class LogJumps : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it; dialogs are opened over `view`.
    LogJumps(LogSource *source, LogCanvas *canvas, QWidget *view);

    /// Go to the next line where an error begins, or the one before.
    void nextError(bool backward);
    /// Ask for a line of the file or a time.
    void askForPlace();
    void findTime(LogTime time);
    /// The same, answered by topWanted().
    void alignTo(LogTime time);

    /// Mark the line that is meant, or take its mark away.
    void toggleBookmark();
    void nextBookmark(bool backward);

Q_SIGNALS:
    void lineWanted(qint64 line);
    void topWanted(qint64 line);
    /// Why there is nowhere to go to; empty when that no longer holds.
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
    bool m_isAligning = false;          ///< By the search that was begun last.
    std::optional<LogTime> m_nextAlign; ///< Once that search is answered.
};

} // namespace rankdeck
