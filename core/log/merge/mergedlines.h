#pragma once

#include "log/file/logfile.h"
#include "log/file/loglines.h"
#include "log/merge/mergedindex.h"

#include <QElapsedTimer>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace rankdeck
{

/// Lines of several growing logs as one, ordered by time, or some lines of one log. Reads shown lines again
/// from the files on request.
class MergedLines : public LogLines
{
    Q_OBJECT

public:
    explicit MergedLines(MergedSpec spec, QObject *parent = nullptr);

    QStringList paths() const override;

    void start() override;
    void finish() override;
    void request(LineNumber first, int count) override;
    /// Answers without the label, and at most LineBlock::blockBytes.
    void requestWhole(LineNumber line) override;
    void followTail(int count) override;
    /// Searches the first 256 KiB of each line, without its label.
    void find(const LogPattern &pattern, LineNumber from, bool backward) override;
    void findError(LineNumber from, bool backward) override;
    /// Compares the stamps of the lines themselves.
    void findTime(LogTime time) override;
    /// Emits active() again, for a receiver that connected later.
    void tellActivity();

Q_SIGNALS:
    /// Emitted at most once a second; includes lines that are filtered out.
    void active(const rankdeck::LogActivity &activity);

private:
    struct Log {
        std::unique_ptr<LogFile> file;
        LineBlock block{};
    };
    struct Search {
        std::optional<LogFilter> text; ///< None: the search is for an error.
        qint64 next;
        bool backward;
        qint64 done = 0;
        qint64 most;
    };

    void begin();
    void look();
    bool pollFiles();
    void announce(bool isUrgent);
    LogPage read(qint64 first, int count);
    QByteArray textOf(Log &log, ByteOffset begin);
    LineNumber numberOf(Log &log, ByteOffset begin) const;
    void sendTail();
    void report(const QString &sentence);
    void cancelSearch();
    void search(std::optional<LogFilter> text, qint64 from, bool backward);
    void continueSearch();
    bool isMatch(qint64 line);

    MergedSpec m_spec;
    std::vector<Log> m_logs;
    std::unique_ptr<MergedIndex> m_index;
    QTimer m_timer;
    QTimer m_catchUp; ///< A backlog is read slice by slice, requests being served in between.
    bool m_isFinishing = false;
    bool m_isOver = false;
    QString m_trouble;
    qint64 m_announced = 0; ///< Lines.
    QElapsedTimer m_sinceAnnounced;
    LogActivity m_toldActivity;
    QElapsedTimer m_sinceActivity;
    int m_tailCount = 0;
    QTimer m_searchStep;
    std::optional<Search> m_current;
    int m_progress = -1;
};

} // namespace rankdeck
