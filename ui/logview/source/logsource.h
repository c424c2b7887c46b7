#pragma once

#include "logview/source/shownline.h"

#include <QPointer>

namespace rankdeck
{

/// The GUI thread's side of LogLines, which live in another thread: sends requests and gets answers by queued
/// signals only, and keeps the page that is on the screen. Line numbers count lines as they are shown, with
/// Rankdeck's marks, unless a comment says "of the file".
class LogSource : public QObject
{
    Q_OBJECT

public:
    explicit LogSource(QObject *parent = nullptr)
        : QObject(parent)
    {
    }
    ~LogSource() override
    {
        Q_EMIT tailRequested(0);
        Q_EMIT collectRequested({});
    }

    /// Reads other lines; nullptr for none. The page, searches and line count are reset.
    void setLines(LogLines *lines);

    LogLines *lines() const { return m_lines; }
    qint64 totalLines() const { return m_totalLines + m_marks.count(); }
    bool hasLines(qint64 first, qint64 count) const;
    /// Returns the bytes of a line of the page; null if the line is not in the page.
    QByteArray line(qint64 number) const;
    /// Returns the line of the file that is shown as line `number`; for a mark, the next one.
    qint64 fileLine(qint64 number) const { return m_marks.fileLine(number); }
    /// Returns the number of a line in the file that it was taken from.
    qint64 lineInFile(qint64 number) const;
    /// Returns the largest number that a line of the page has in its file, or of all lines, counted from 1.
    qint64 largestNumber() const;
    /// Reverse of fileLine().
    qint64 shownLine(qint64 fileLine) const { return m_marks.shownLine(fileLine); }
    bool isMark(qint64 number) const { return m_marks.isMark(number); }
    /// Returns the severity of a line of the page, or of the traceback that it belongs to.
    LogSeverity severity(qint64 number) const;
    /// Returns the time of a line of the page, or the last known one before it.
    std::optional<LogTime> time(qint64 number) const;
    /// Returns the file and line that a line of the page was taken from; only for merged lines.
    std::optional<LogPage::Origin> origin(qint64 number) const;
    /// Returns a selection in lines of the file; marks are left out.
    LogSelection inFile(const LogSelection &selection) const;

    /// Requests the last `count` lines whenever the log grows; 0 turns it off.
    void followTail(int count)
    {
        if (std::exchange(m_tailCount, count) != count)
            Q_EMIT tailRequested(count);
    }
    /// Requests a page with `count` lines from `first` and around them, unless there. 0: none are needed.
    void want(qint64 first, int count);
    /// Requests lines of the file without making them the page; answered by pageReceived().
    void request(qint64 first, int count) { Q_EMIT linesRequested(LineNumber(first), count); }
    /// As LogLines::requestWhole(); answered by wholeLineReceived().
    void requestWhole(qint64 line)
    {
        m_requestedWhole = m_marks.fileLine(line);
        Q_EMIT wholeLineRequested(LineNumber(m_requestedWhole));
    }
    /// Kinds of searches; one runs at a time.
    enum class Search { None, Text, Error, Time, Place };
    Q_ENUM(Search)
    /// As LogLines::find(), findError(), findTime() and findOrigin().
    void find(const LogPattern &pattern, qint64 from, bool backward);
    void findError(qint64 from, bool backward);
    void findTime(LogTime time);
    void findOrigin(int log, qint64 lineInFile);
    void stopSearch();
    Search search() const { return m_search; }
    /// Collects the lines that match a pattern, see LogLines::collect(); an empty one ends it.
    void collect(const LogPattern &pattern);
    /// Lines of the file that were collected so far.
    const QList<qint64> &hits() const { return m_hits; }
    /// Whether these are all for now.
    bool hasAllHits() const { return m_hasAllHits; }

Q_SIGNALS:
    void grew();
    void pageChanged();
    /// A page of the file arrived, requested here or by another user of the lines.
    void pageReceived(const rankdeck::LogPage &page);
    void wholeLineReceived(const QByteArray &bytes, bool isWhole);
    void restarted();
    void found(rankdeck::LogSource::Search search, qint64 line);
    void notFound(rankdeck::LogSource::Search search);
    void searchProgress(rankdeck::LogSource::Search search, int percent);
    /// hits() or hasAllHits() changed.
    void hitsChanged();
    void unreadable(const QString &sentence);

    // To the thread of the lines.
    void linesRequested(rankdeck::LineNumber first, int count);
    void wholeLineRequested(rankdeck::LineNumber line);
    void tailRequested(int count);
    void searchRequested(const rankdeck::LogPattern &pattern, rankdeck::LineNumber from, bool backward);
    void errorRequested(rankdeck::LineNumber from, bool backward);
    void timeRequested(rankdeck::LogTime time);
    void originRequested(int log, rankdeck::LineNumber line);
    void collectRequested(const rankdeck::LogPattern &pattern);

private:
    void onPage(const LogPage &page);
    void onGrew(qint64 totalLines);
    void onMarked()
    {
        if (m_tailCount == 0 && m_wantedCount > 0)
            ask();
    }
    void ask();
    bool hasFileLines(qint64 first, qint64 end) const
    {
        return first >= end ||
               (first >= m_page.first.value && end <= m_page.first.value + m_page.lines.size());
    }
    void onRestarted();
    void forgetHits();
    void beginSearch(Search search)
    {
        m_search = search;
        m_unanswered += m_lines ? 1 : 0;
    }
    /// Counts an answer; returns the search if the answer belongs to the last one.
    std::optional<Search> takeAnswer();
    LineNumber searchFrom(qint64 line, bool backward) const;
    const LogLineReader::Line *said(qint64 number) const;

    QPointer<LogLines> m_lines;
    qint64 m_requestedWhole = -1;
    LogPage m_page; ///< Lines of the file, as all numbers below.
    LogMarks m_marks;
    Search m_search = Search::None;
    LogPattern m_collecting;
    QList<qint64> m_hits;
    bool m_hasAllHits = false;
    int m_unanswered = 0;               ///< Searches; only the answer to the last one matters.
    std::unique_ptr<QObject> m_answers; ///< Receives answers; deleted to drop queued ones.
    qint64 m_totalLines = 0;
    qint64 m_requestedFirst = -1;
    qint64 m_wantedFirst = 0;
    int m_wantedCount = 0;
    int m_tailCount = 0;
};

} // namespace rankdeck
