#pragma once

#include "log/file/logfile.h"
#include "log/file/loglines.h"
#include "log/file/logsearch.h"

namespace rankdeck
{

/// Follows one growing log file in the thread it lives in (never the GUI thread) and hands out pages of it.
/// Reads with pread on a timer; the file may appear later than the follower.
class LogFollower : public LogLines
{
    Q_OBJECT

public:
    explicit LogFollower(QString path);

    /// Must be called before the first look.
    void setLimit(LogLimit limit) { m_file.setLimit(std::move(limit)); }

    QStringList paths() const override { return {m_file.path()}; }

    void start() override;
    void finish() override;
    void requestWhole(LineNumber line) override;
    void find(const LogPattern &pattern, LineNumber from, bool backward) override;
    void findError(LineNumber from, bool backward) override;
    void findTime(LogTime time) override;
    void findOrigin(int log, LineNumber line) override;
    /// Sets the marks of every page from now on, in the order of their offsets. Must be called in its thread.
    void setMarks(const QList<LogMark> &marks);

private:
    void look() override;
    LogPage read(LineNumber first, int count) override;
    qint64 lineCount() const override { return m_file.totalLines(); }
    void continueSearch() override;
    bool beginCollecting(const LogPattern &pattern) override;
    bool collectOn(QList<qint64> &lines) override;

    void announce();
    void placeMarks();
    void startSearch(std::unique_ptr<LineFinder> finder, LineNumber from, bool backward);
    void stopSearch();
    void cancelSearch();

    LogFile m_file;
    QString m_lastLine;
    bool m_finishing = false;
    QList<LogMark> m_marks;
    qsizetype m_placedMarks = 0; ///< Marks up to which the file has been read.
    std::optional<LogSearch> m_search;
    std::optional<LogMatcher> m_collectMatcher;
    std::optional<LogSearch> m_collector; ///< While it reads.
    LineNumber m_collectFrom;             ///< Lines before it were looked at.
    qint64 m_lastCollected = -1;
    qint64 m_collectedBytes = 0; ///< Size of the file when the last collector began.
};

} // namespace rankdeck
