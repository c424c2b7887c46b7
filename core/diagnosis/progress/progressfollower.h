#pragma once

#include "base/ranks.h"
#include "diagnosis/progress/progressreader.h"
#include "diagnosis/progress/rankprogress.h"
#include "log/file/logtail.h"
#include "run/record/runphase.h"

#include <QTimer>

namespace rankdeck
{

/// Reads the progress in the logs of all ranks, each byte once, in bounded memory: 16 MB for a thousand
/// ranks. Reads only workers. Reads the disk: not for the GUI thread.
class ProgressLogs
{
public:
    /// Use a new object for another run or attempt.
    /// @param growthFolder growthFolder() of the attempt, which has the times of the backlog's lines; empty,
    /// as for logs alone: unknown.
    /// @param mostBuckets of each curve, as ValueSeries takes it; 0: as many as that memory has room for.
    ProgressLogs(const LaunchPlan &plan, ProgressReader reader, const QString &growthFolder = {},
                 int mostBuckets = 0);
    ~ProgressLogs();
    Q_DISABLE_COPY_MOVE(ProgressLogs)

    /// Reads on, some megabytes at most. Returns true if there is more at once.
    /// @param isLive lines come as they are printed once the backlog has been read.
    bool readOn(bool isLive);
    /// Reads to the end, including an unfinished last line: the logs do not grow any more.
    void readRest();

    /// Processes of the plan.
    int count() const { return int(m_logs.size()); }
    /// Returns the progress of a process; empty if it is not a worker or printed none.
    const ProgressTracker &tracker(int process) const;
    /// Returns the processes whose progress has changed since the last call, in their order.
    std::vector<int> takeChanged();

private:
    struct Log;
    qint64 read(Log &log, std::size_t stream, qint64 most, bool isLive);
    void take(Log &log, std::size_t stream, QByteArrayView line, std::optional<qint64> seen) const;

    ProgressReader m_reader;
    std::vector<std::unique_ptr<Log>> m_logs; ///< By process; null for a process that is not a worker.
    std::size_t m_next = 0;
    bool m_isCaughtUp = false;
    bool m_keepsOpen = true;
};

/// Changes in progress, by index in LaunchPlan::processes.
struct ProgressNews {
    struct Rank {
        int process = 0;
        RankProgress progress;
    };
    QList<Rank> ranks; ///< Ranks with new progress.
};

/// Follows the progress of all ranks of a run. Lives in a thread of its own, never in the GUI thread.
class ProgressFollower : public QObject
{
    Q_OBJECT

public:
    static constexpr int publishMs = 500; ///< Between two news at least.

    /// @param growthFolder, mostBuckets see ProgressLogs.
    ProgressFollower(const LaunchPlan &plan, ProgressReader reader, const QString &growthFolder,
                     int mostBuckets = 0, QObject *parent = nullptr);

public Q_SLOTS:
    /// Reads the backlog and then polls four times a second; once a second if ranks are many.
    void start();
    /// Reads to the end, then stops polling: the run is over.
    void finish();
    /// Emits plotted() for these processes now and after each change, as often as progressed(). Empty: never.
    void plot(const QList<int> &processes);

Q_SIGNALS:
    void progressed(const rankdeck::ProgressNews &news);
    void plotted(const rankdeck::ProgressCurves &curves);

private:
    void look();
    void publish();
    void sendCurves();

    ProgressLogs m_logs;
    QTimer m_timer;
    QTimer m_catchUp; ///< A backlog is read slice by slice, others being served in between.
    QTimer m_publish; ///< Runs while it is too early for news.
    QList<int> m_plotted;
    bool m_isFinishing = false;
};

} // namespace rankdeck
