#pragma once

#include "diagnosis/progress/progresscurves.h"
#include "diagnosis/progress/progresslogs.h"

#include <QList>
#include <QMetaType>
#include <QObject>
#include <QTimer>

namespace rankdeck
{

/// Where ranks are now, by index in LaunchPlan::processes.
struct ProgressNews {
    struct Rank {
        int process = 0;
        RankProgress progress;
    };
    QList<Rank> ranks; ///< Those that have changed.
};

/// Follows the progress of all ranks of a run. Lives in a thread of its own, never in the GUI thread.
class ProgressFollower : public QObject
{
    Q_OBJECT

public:
    static constexpr int publishMs = 500; ///< Between two news at least.

    ProgressFollower(const LaunchPlan &plan, ProgressReader reader, QObject *parent = nullptr);

public Q_SLOTS:
    /// Read what there is and look for more four times a second; once a second where ranks are many.
    void start();
    /// The run is over: read to the end, then stop looking.
    void finish();
    /// Send the curves of these processes, now and whenever they have changed, as often as news. None: send
    /// none.
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

Q_DECLARE_METATYPE(rankdeck::ProgressNews)
