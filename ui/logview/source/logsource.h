#pragma once

#include "log/loglines.h"
#include "logview/logmarks.h"
#include "logview/logselection.h"

#include <QObject>
#include <QPointer>

#include <memory>
#include <optional>

namespace rankdeck
{

/// The GUI thread's end of LogLines in another thread: asks and is answered by queued signals only, and
/// keeps the page that is on the screen. Lines are counted as they are shown, our marks among them, unless
/// "of the file" is said.
class LogSource : public QObject
{
    Q_OBJECT

public:
    explicit LogSource(QObject *parent = nullptr);
    ~LogSource() override;

    /// nullptr for none. Everything known of the one before is forgotten.
    void setLines(LogLines *lines);

    LogLines *lines() const { return m_lines; }
    qint64 totalLines() const { return m_totalLines + m_marks.count(); }
    bool hasLines(qint64 first, qint64 count) const;
    /// The bytes of a line of the page; null if it is not there.
    QByteArray line(qint64 number) const;
    /// The line of the file that a line is; for a mark the one behind it.
    qint64 fileLine(qint64 number) const { return m_marks.fileLine(number); }
    /// Its number in the file that it was taken from.
    qint64 lineInFile(qint64 number) const;
    /// The other way round.
    qint64 shownLine(qint64 fileLine) const { return m_marks.shownLine(fileLine); }
    bool isMark(qint64 number) const { return m_marks.isMark(number); }
    /// What a line of the page says of itself, or the traceback that it is in.
    LogSeverity severity(qint64 number) const;
    /// The time of a line of the page, or the last one before it that is known.
    std::optional<LogTime> time(qint64 number) const;
    /// Where a line of the page stands, for lines that a view has taken from files.
    std::optional<LogPage::Origin> origin(qint64 number) const;
    /// What of a selection is in the file: all of it but the marks.
    LogSelection inFile(const LogSelection &selection) const;

    /// Be sent the last `count` lines whenever the log grows; 0 turns it off.
    void followTail(int count);
    /// Have `count` lines from `first` in the page, and those around them, unless they are there; no `count`
    /// for none.
    void want(qint64 first, int count);
    /// Ask for lines of the file that are not to become the page; answered by pageReceived().
    void request(qint64 first, int count);
    /// As LogLines::requestWhole(); answered by wholeLineReceived().
    void requestWhole(qint64 line);
    /// What is looked for; of these only one at a time.
    enum class Search { None, Text, Error, Time };
    Q_ENUM(Search)
    /// As LogLines::find(), findError() and findTime().
    void find(const LogPattern &pattern, qint64 from, bool backward);
    void findError(qint64 from, bool backward);
    void findTime(LogTime time);
    void stopSearch();
    Search search() const { return m_search; }

Q_SIGNALS:
    void grew();
    void pageChanged();
    /// Of the file.
    void pageReceived(const rankdeck::LogPage &page);
    void wholeLineReceived(const QByteArray &bytes, bool isWhole);
    void restarted();
    void found(rankdeck::LogSource::Search search, qint64 line);
    void notFound(rankdeck::LogSource::Search search);
    void searchProgress(rankdeck::LogSource::Search search, int percent);
    void unreadable(const QString &sentence);

    // To the thread of the lines.
    void linesWanted(rankdeck::LineNumber first, int count);
    void wholeLineWanted(rankdeck::LineNumber line);
    void tailWanted(int count);
    void searchWanted(const rankdeck::LogPattern &pattern, rankdeck::LineNumber from, bool backward);
    void errorWanted(rankdeck::LineNumber from, bool backward);
    void timeWanted(rankdeck::LogTime time);

private:
    void onPage(const LogPage &page);
    void onGrew(qint64 totalLines);
    void onMarked();
    void ask();
    bool hasFileLines(qint64 first, qint64 end) const;
    void onRestarted();
    void beginSearch(Search search);
    /// Of the last search, once it is answered.
    std::optional<Search> takeAnswer();
    LineNumber searchFrom(qint64 line, bool backward) const;
    const LogLineReader::Line *said(qint64 number) const;

    QPointer<LogLines> m_lines;
    qint64 m_requestedWhole = -1;
    LogPage m_page; ///< Of the file, as all numbers below.
    LogMarks m_marks;
    Search m_search = Search::None;
    int m_unanswered = 0;               ///< Searches, of which only the last one's answer matters.
    std::unique_ptr<QObject> m_answers; ///< Receives them; with it goes what has not been heard yet.
    qint64 m_totalLines = 0;
    qint64 m_requestedFirst = -1;
    qint64 m_wantedFirst = 0;
    int m_wantedCount = 0;
    int m_tailCount = 0;
};

} // namespace rankdeck
