#pragma once

#include "log/file/logfile.h"
#include "log/file/loglines.h"
#include "log/merge/mergedindex.h"

#include <QElapsedTimer>

namespace rankdeck
{

/// Lines of several growing logs as one, by time, or some of one log. Reads shown lines from the files again.
class MergedLines : public LogLines
{
    Q_OBJECT

public:
    explicit MergedLines(MergedSpec spec);

    QStringList paths() const override;

    void start() override;
    void finish() override;
    /// Answers without the label, and at most LineBlock::blockBytes.
    void requestWhole(LineNumber line) override;
    /// Searches the first 256 KiB of each line, without its label.
    void find(const LogPattern &pattern, LineNumber from, bool backward) override;
    void findError(LineNumber from, bool backward) override;
    /// Compares the stamps of the lines themselves.
    void findTime(LogTime time) override;
    void findOrigin(int log, LineNumber line) override;
    /// Sets the marks of the pages from now on. Must be called in its thread.
    void setMarks(int log, const QList<LogMark> &marks);
    /// Emits active() again, for a receiver that connected later.
    void tellActivity();

Q_SIGNALS:
    /// Emitted at most once a second; includes lines that are filtered out.
    void active(const rankdeck::LogActivity &activity);

private:
    struct Log {
        std::unique_ptr<LogFile> file;
        LineBlock block;
    };
    struct Search {
        std::optional<LogFilter> text; ///< None: the search is for an error.
        qint64 next;
        bool backward;
        qint64 done = 0;
        qint64 most;
    };

    void look() override;
    LogPage read(LineNumber first, int count) override;
    qint64 lineCount() const override { return m_index->lines().size(); }
    void continueSearch() override;
    bool beginCollecting(const LogPattern &pattern) override;
    bool collectOn(QList<qint64> &lines) override;

    void begin();
    void forgetBlocks();
    bool pollFiles();
    bool hasGrown();
    void announce(bool isUrgent);
    QByteArray textOf(Log &log, ByteOffset begin);
    LineNumber numberOf(Log &log, ByteOffset begin) const;
    void cancelSearch();
    void search(std::optional<LogFilter> text, qint64 from, bool backward);
    bool isWanted(qint64 line);
    QByteArrayView beginningOf(qint64 line);
    qint64 nextOf(int log, ByteOffset place, qint64 line) const;
    void findPlace();
    QList<LogMark> placedMarks();

    MergedSpec m_spec;
    std::vector<Log> m_logs;
    qint64 m_blockBytes; ///< To read at once of each log.
    std::unique_ptr<MergedIndex> m_index;
    bool m_isFinishing = false;
    bool m_isOver = false;
    qint64 m_announced = 0; ///< Lines.
    QElapsedTimer m_sinceAnnounced;
    LogActivity m_toldActivity;
    QElapsedTimer m_sinceActivity;
    std::optional<Search> m_current;
    /// A line of a file that is looked for in the merge.
    struct Place {
        int log;
        LineNumber line;
        qint64 next; ///< Next line of the merge to look at.
    };
    std::optional<Place> m_place;
    struct Mark {
        int log;
        LogMark mark;
        qint64 next; ///< The same; a line behind the mark once that was found.
    };
    std::vector<Mark> m_marks;
    bool m_hasMore = false; ///< To be read at once.
    std::optional<LogFilter> m_collectFilter;
    qint64 m_collectFrom = 0;
};

} // namespace rankdeck
