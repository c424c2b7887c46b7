#pragma once

#include "log/logfilter.h"
#include "log/logmark.h"
#include "log/logtypes.h"

#include <QByteArray>
#include <QList>
#include <QMetaType>
#include <QObject>
#include <QString>
#include <QStringList>

namespace rankdeck
{

/// A stretch of a log, as bytes of whole lines without their ends; each line is cut at maxShownLineBytes.
struct LogPage {
    /// Where a line stands that a view has taken from a file.
    struct Origin {
        int log = 0; ///< Which of the view's logs.
        LineNumber line;
        int labelBytes = 0; ///< Of the view, before the line.
    };

    LineNumber first; ///< Line number of lines[0].
    QList<QByteArray> lines;
    QList<LogLineReader::Line> said; ///< What each line says of itself; none where that is not known.
    QList<Origin> origins; ///< Of each line; none where the lines are those of one file, all of them.
    qint64 totalLines = 0; ///< When the page was read, an unfinished last line included.
    qint64 totalBytes = 0;
    bool atEnd = false;   ///< The page holds the last line.
    QList<LogMark> marks; ///< Of all lines as far as they were read, in their order.
};

/// Lines that a view shows: those of a growing file, or some of several. Lives in a thread of its own, never
/// in the GUI thread, and hands out pages.
class LogLines : public QObject
{
    Q_OBJECT

public:
    /// A longer line is shown up to here, with its true length said behind it.
    static constexpr int maxShownLineBytes = 16 * 1024;

    static constexpr int maxWholeLineBytes = 4 * 1024 * 1024;

    using QObject::QObject;

    /// The files that lines are taken from. Any thread may ask.
    virtual QStringList paths() const { return {}; }

public Q_SLOTS:
    /// Start looking at what there is, ten times a second.
    virtual void start() = 0;
    /// The run is over: read to the end, then stop looking.
    virtual void finish() = 0;
    /// Ask for `count` lines from `first`; answered by page(), at once. Lines beyond the end are left out.
    virtual void request(rankdeck::LineNumber first, int count) = 0;
    /// Ask for one line as it is in the log, longer than maxShownLineBytes as well; answered by wholeLine().
    virtual void requestWhole(rankdeck::LineNumber line) { Q_EMIT wholeLine(line, {}, true); }
    /// While set, every growth is answered by page() with the last `count` lines. 0 turns it off.
    virtual void followTail(int count) = 0;
    /// Find a line from `from` on (itself included), towards the end or the start. Works in slices so that
    /// requests are served meanwhile. Each search of any kind is answered once, by found() or notFound(), in
    /// the order in which they were asked for: one that is replaced by another, or cancelled by an empty
    /// text, which is no search, by notFound() at once. What is no regular expression is not found; isNegated
    /// is not looked at.
    virtual void find(const rankdeck::LogPattern &pattern, rankdeck::LineNumber from, bool backward) = 0;
    /// The same for a line where an error begins (LogLineReader::Line::beginsError). Lines that cannot tell
    /// find none.
    virtual void findError(rankdeck::LineNumber from, bool backward)
    {
        Q_UNUSED(from)
        Q_UNUSED(backward)
        Q_EMIT notFound();
    }
    /// The same for the first line that is not before `time`, by its own stamp or the last one before it.
    virtual void findTime(rankdeck::LogTime time)
    {
        Q_UNUSED(time)
        Q_EMIT notFound();
    }

Q_SIGNALS:
    /// Lines were added, or all of them are gone. `lastLine` is the last with something on it, at most 500
    /// bytes, escapes removed.
    void grew(qint64 totalLines, qint64 totalBytes, const QString &lastLine);
    /// The lines are others: their numbers start again. grew() follows.
    void restarted();
    void page(const rankdeck::LogPage &page);
    /// The last maxWholeLineBytes of it where it is longer, which is then not `isWhole`.
    void wholeLine(rankdeck::LineNumber line, const QByteArray &bytes, bool isWhole);
    /// There are other marks; pages that were sent before do not have them.
    void marked();
    void found(rankdeck::LineNumber line);
    void notFound();
    /// 0..100 while a search runs.
    void searchProgress(int percent);
    /// What there is cannot be read: a sentence for the user. Looking goes on. Said again to who asks for
    /// lines; empty when it can be read after all.
    void unreadable(const QString &sentence);
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::LineNumber)
Q_DECLARE_METATYPE(rankdeck::LogPage)
Q_DECLARE_METATYPE(rankdeck::LogPattern)
Q_DECLARE_METATYPE(rankdeck::LogTime)
