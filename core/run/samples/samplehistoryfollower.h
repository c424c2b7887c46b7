#pragma once

#include "base/oneshottimer.h"
#include "run/record/runphase.h"
#include "run/samples/nodehistory.h"

#include <QTimer>

#include <memory>

namespace rankdeck
{

/// How busy processes were in the last minutes, for RunSamples::addRecent().
struct RecentBusyness {
    struct Moment {
        int process = 0;
        qint64 time = 0; ///< ms since 1970.
        double busy = 0; ///< Percent of its NPU or of a core.
    };
    QList<Moment> moments;
};

/// Follows the history of samples in a run's directory. Lives in a thread of its own, not the GUI's.
class SampleHistoryFollower : public QObject
{
    Q_OBJECT

public:
    static constexpr int lookMs = 1000;

    /// @param runDirectory of a run, live or not, or of an opened bundle.
    SampleHistoryFollower(QString runDirectory, std::shared_ptr<const LaunchPlan> plan);

public Q_SLOTS:
    void setLive(bool isLive);
    /// Sends the curves of these processes, now and whenever they have grown. An empty list stops that.
    void plot(const QList<int> &processes);
    /// Reports once how busy all processes were since then, ms since 1970.
    void tellRecent(qint64 since);

Q_SIGNALS:
    void plotted(const rankdeck::SampleCurves &curves);
    /// Emitted for each node that has a history.
    void recentTold(const rankdeck::RecentBusyness &recent);

private:
    void look();
    void tellRecentOfNext();

    const QString m_directory;
    const std::shared_ptr<const LaunchPlan> m_plan;
    QTimer m_timer;
    OneShotTimer m_catchUp; ///< For reading piece by piece, with other events in between.
    QList<int> m_plotted;
    SampleCurveReader m_curves; ///< Curves of m_plotted.
    NodeHistories m_recent;     ///< Histories of nodes that are not reported yet, the next one last.
    OneShotTimer m_nextRecent;
    qint64 m_since = 0; ///< See tellRecent().
    bool m_isLive = false;
    bool m_hasSent = false;
    bool m_hasChanged = false;
};

} // namespace rankdeck
