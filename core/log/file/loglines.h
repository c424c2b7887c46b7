#pragma once

#include "base/oneshottimer.h"
#include "log/line/logfilter.h"
#include "log/line/logtypes.h"

#include <QElapsedTimer>
#include <QTimer>

namespace rankdeck
{

/// A remark of Rankdeck at a place in a log, such as a gap. It is not part of the file.
struct LogMark {
    ByteOffset offset; ///< Bytes of the file before it.
    QString text;
    LineNumber line; ///< The line before which it stands; worked out by LogFollower.

    bool operator==(const LogMark &) const = default;
};

/// A stretch of a log, as bytes of whole lines without their ends; each line is cut at maxShownLineBytes.
struct LogPage {
    /// Where a line of a view comes from.
    struct Origin {
        int log = 0; ///< Index of the log among the view's logs.
        LineNumber line;
        int labelBytes = 0;   ///< Length of the label that the view puts before the line.
        bool isError = false; ///< The log is a standard error.
    };

    LineNumber first; ///< Line number of lines[0].
    QList<QByteArray> lines;
    QList<LogLineReader::Line> said; ///< Severity, time and so on of each line; empty if not known.
    QList<Origin> origins;           ///< Origin of each line; empty if the page shows all lines of one file.
    qint64 totalLines = 0;           ///< When the page was read, an unfinished last line included.
    qint64 totalBytes = 0;
    bool atEnd = false;   ///< The page holds the last line.
    QList<LogMark> marks; ///< The marks in all lines read so far, in their order.
};

/// The lines of a view, from one growing file or several, in pages. Lives in a thread, never the GUI thread.
class LogLines : public QObject
{
    Q_OBJECT

public:
    /// A longer line is cut here, with its true length added.
    static constexpr int maxShownLineBytes = 16 * 1024;

    static constexpr int maxWholeLineBytes = 4 * 1024 * 1024;

    /// A collection ends here.
    static constexpr qint64 mostCollected = 500'000;

    LogLines();

    /// The files that lines are taken from. Any thread may ask.
    virtual QStringList paths() const = 0;

public Q_SLOTS:
    /// Starts polling, ten times a second; where logs are many, once a second.
    virtual void start() = 0;
    /// Reads to the end, then stops polling. For a run that has finished.
    virtual void finish() = 0;
    /// Requests `count` lines from `first`; answered by page(), at once. Lines beyond the end are left out.
    void request(rankdeck::LineNumber first, int count);
    /// Requests one uncut line; answered by wholeLine().
    virtual void requestWhole(rankdeck::LineNumber line) = 0;
    /// While set, every growth is answered by page() with the last `count` lines. 0 turns it off.
    void followTail(int count);
    /// Finds a line from `from` on (itself included), towards the end or the start. Works in slices so that
    /// requests are served in between. Each search is answered once, by found() or notFound(), in the order
    /// of the calls; a search that is replaced, or cancelled by an empty text, is answered by notFound() at
    /// once. An invalid regular expression is not found; isNegated is ignored.
    virtual void find(const rankdeck::LogPattern &pattern, rankdeck::LineNumber from, bool backward) = 0;
    /// Like find(), for a line where an error begins (LogLineReader::Line::beginsError).
    virtual void findError(rankdeck::LineNumber from, bool backward) = 0;
    /// Like find(), for the first line that is not before `time`, by its own stamp or the last one before it.
    virtual void findTime(rankdeck::LogTime time) = 0;
    /// Like find(), for a line (0-based) of a file by its number there; `log` as LogPage::Origin::log.
    virtual void findOrigin(int log, rankdeck::LineNumber line) = 0;
    /// Collects all lines that match a pattern, those that come later too. Answered by collected(), in slices
    /// as a search. Replaces the collection before; an empty text ends it.
    void collect(const rankdeck::LogPattern &pattern);

Q_SIGNALS:
    /// Lines were added or removed. `lastLine`: the last one not blank, at most 500 bytes, plain.
    void grew(qint64 totalLines, qint64 totalBytes, const QString &lastLine);
    /// The file was cut or replaced: line numbers start again. grew() follows.
    void restarted();
    void page(const rankdeck::LogPage &page);
    /// `bytes`: the line, or its last maxWholeLineBytes if it is longer and thus not `isWhole`.
    void wholeLine(rankdeck::LineNumber line, const QByteArray &bytes, bool isWhole);
    /// Marks have changed; pages that were sent before do not have them.
    void marked();
    void found(rankdeck::LineNumber line);
    void notFound();
    /// The next matching lines of the collection for `pattern`, in their order. `isAll`: all lines that there
    /// are have been looked at, or mostCollected have been found.
    void collected(const rankdeck::LogPattern &pattern, const QList<qint64> &lines, bool isAll);
    /// 0..100 while a search runs.
    void searchProgress(int percent);
    /// A file cannot be read: a sentence, repeated on requests; empty: it can again. Polling goes on.
    void unreadable(const QString &sentence);

protected:
    static constexpr std::chrono::milliseconds lookInterval{100};

    /// Reads the new part. Called at each interval between startPolling() and stopPolling(), and once soon
    /// after lookSoon(): a backlog is read slice by slice, and requests are served in between.
    virtual void look() = 0;
    virtual LogPage read(LineNumber first, int count) = 0;
    virtual qint64 lineCount() const = 0;
    /// Searches one slice further. Called until stopSearching(), requests being served in between.
    virtual void continueSearch() = 0;
    /// Begins a new collection. Returns false if the pattern is not valid.
    virtual bool beginCollecting(const LogPattern &pattern) = 0;
    /// Appends matching lines of the next slice. Returns true if there may be more at once.
    virtual bool collectOn(QList<qint64> &lines) = 0;

    void startPolling(std::chrono::milliseconds interval = lookInterval) { m_timer.start(interval); }
    void stopPolling() { m_timer.stop(); }
    void lookSoon() { m_catchUp.start(0); }
    /// Lines were added; to be called by look().
    void collectSoon();
    /// Line numbers start again: so does a collection.
    void collectAgain();
    void startSearching();
    void stopSearching() { m_searchStep.stop(); }
    void tellProgress(int percent);
    /// Answers followTail(), if that is set.
    void sendTail();
    /// Emits unreadable() if the sentence is a new one.
    void report(const QString &sentence);

private:
    void repeatTrouble();
    void continueCollecting();

    QTimer m_timer;
    OneShotTimer m_catchUp;
    QTimer m_searchStep;
    OneShotTimer m_collectStep;
    LogPattern m_collecting;   ///< Its text is empty when nothing is collected.
    QList<qint64> m_collected; ///< Not sent yet.
    qint64 m_collectedCount = 0;
    QElapsedTimer m_sinceCollected;
    QString m_trouble;
    int m_tailCount = 0;
    int m_progress = -1;
};

} // namespace rankdeck
