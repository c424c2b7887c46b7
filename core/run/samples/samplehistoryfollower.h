#pragma once

#include "launch/launchplan.h"
#include "run/samples/nodehistory.h"
#include "run/samples/samplecurves.h"

#include <QHash>
#include <QList>
#include <QMetaType>
#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace rankdeck
{

/// How busy processes were in the last minutes, for RunSamples::addRecent().
struct RecentBusyness {
    struct Moment {
        int process = 0;
        qint64 time = 0; ///< ms since 1970.
        double busy = 0; ///< Percent, of its NPU or of a core.
    };
    QList<Moment> moments;
};

/// Follows the history of samples in a run's directory. Lives in a thread of its own, never in the GUI
/// thread.
class SampleHistoryFollower : public QObject
{
    Q_OBJECT

public:
    static constexpr int lookMs = 1000;

    /// @param runDirectory of a run that may be live, or of an opened bundle.
    SampleHistoryFollower(QString runDirectory, std::shared_ptr<const LaunchPlan> plan,
                          QObject *parent = nullptr);

public Q_SLOTS:
    /// The history may grow from now on, or grows no more.
    void setLive(bool isLive);
    /// Send the curves of these processes, now and whenever they have grown. None: send none, and read
    /// nothing.
    void plot(const QList<int> &processes);
    /// Tell once how busy all processes were since then, ms since 1970.
    void tellRecent(qint64 since);

Q_SIGNALS:
    void plotted(const rankdeck::SampleCurves &curves);
    /// Of a node; of those alone that have a history.
    void recentTold(const rankdeck::RecentBusyness &recent);

private:
    using Histories = std::vector<std::unique_ptr<NodeHistory>>;

    void look();
    void take(const NodeHistory &history, const NodeHistory::Piece &piece);
    void send();
    void tellRecentOfNext();
    Histories histories(const QList<int> &processes) const;

    const QString m_directory;
    const std::shared_ptr<const LaunchPlan> m_plan;
    QTimer m_timer;
    QTimer m_catchUp; ///< What there is is read piece by piece, others being served in between.
    QList<int> m_plotted;
    Histories m_histories;                    ///< Of the nodes of these.
    QHash<int, SampleCurves::Curve> m_curves; ///< By process.
    Histories m_recent; ///< Of the nodes that are still to be told of, the next one last.
    QTimer m_nextRecent;
    qint64 m_since = 0; ///< See tellRecent().
    bool m_isLive = false;
    bool m_hasSent = false;
    bool m_hasChanged = false;
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::RecentBusyness)
