#pragma once

#include "log/file/logfile.h"
#include "log/file/loglines.h"
#include "log/file/logsearch.h"

#include <QTimer>

#include <memory>
#include <optional>

namespace rankdeck
{

/// Follows one growing log file in the thread it lives in (never the GUI thread) and hands out pages of it.
/// Reads with pread on a timer; the file may appear later than the follower.
class LogFollower : public LogLines
{
    Q_OBJECT

public:
    explicit LogFollower(QString path, QObject *parent = nullptr);

    QStringList paths() const override;

    void start() override;
    void finish() override;
    void request(LineNumber first, int count) override;
    void requestWhole(LineNumber line) override;
    void followTail(int count) override;
    void find(const LogPattern &pattern, LineNumber from, bool backward) override;
    void findError(LineNumber from, bool backward) override;
    void findTime(LogTime time) override;
    /// Sets the marks of every page from now on, in the order of their offsets. Must be called in its thread.
    void setMarks(const QList<LogMark> &marks);

private:
    void look();
    void announce();
    LogPage read(LineNumber first, int count) const;
    void placeMarks();
    void sendTail();
    void report(const QString &sentence);
    void repeatTrouble();
    void startSearch(std::unique_ptr<LineFinder> finder, LineNumber from, bool backward);
    void continueSearch();
    void stopSearch();
    void cancelSearch();

    LogFile m_file;
    QTimer m_timer;
    QTimer m_catchUp; ///< A backlog is read slice by slice, requests being served in between.
    QTimer m_searchStep;
    QString m_lastLine;
    QString m_trouble;
    int m_tailCount = 0;
    bool m_finishing = false;
    QList<LogMark> m_marks;
    qsizetype m_placedMarks = 0; ///< Marks up to which the file has been read.
    std::optional<LogSearch> m_search;
    int m_progress = -1;
};

} // namespace rankdeck
