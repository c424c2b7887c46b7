#pragma once

#include "base/oneshottimer.h"
#include "diagnosis/progress/progresslogs.h"

#include <QTimer>

namespace rankdeck
{

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

    /// @param mostBuckets see ProgressLogs.
    ProgressFollower(const LaunchPlan &plan, ProgressReader reader, ProgressPlaces places,
                     int mostBuckets = 0);

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
    OneShotTimer m_catchUp; ///< A backlog is read slice by slice, others being served in between.
    OneShotTimer m_publish; ///< Runs while it is too early for news.
    QList<int> m_plotted;
    bool m_isFinishing = false;
};

} // namespace rankdeck
