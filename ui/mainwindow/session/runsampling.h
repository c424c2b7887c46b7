#pragma once

#include "base/oneshottimer.h"
#include "run/record/runrequests.h"
#include "run/samples/runsamples.h"
#include "run/samples/samplehistoryfollower.h"

#include <QPointer>

namespace rankdeck
{

class DeviceDetails;
class DeviceGrid;
class RunSession;
struct RunState;

/// Requests samples of the run that is shown, and passes them to grid and details. While these are hidden,
/// minimised or covered no samples are requested, so that npu-smi does not run on the nodes.
class RunSampling : public QObject
{
    Q_OBJECT

public:
    RunSampling(DeviceGrid *grid, DeviceDetails *details, QWidget *page);

    /// Sets the run; null for none.
    void setSession(RunSession *session);
    void setState(const RunState &state);
    const RunSamples &samples() const { return m_samples; }
    /// The last request.
    const SampleWish &wish() const { return m_wish; }

Q_SIGNALS:
    /// Why NPUs of nodes cannot be read, in one line; empty if no problem is known.
    void problemChanged(const QString &problem);

protected:
    /// Watches the grid, the plot of the details and their window.
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void take(const NodeSample &sample);
    void takeRecent(const RecentBusyness &recent);
    void clear();
    void feed();
    void updateWish();
    SampleWish wanted() const;
    void watchWindow();

    DeviceGrid *m_grid;
    DeviceDetails *m_details;
    QWidget *m_page;
    QPointer<QWidget> m_window;
    QPointer<RunSession> m_session;
    RunSamples m_samples;
    SampleWish m_wish;
    OneShotTimer m_feed; ///< Runs while samples wait to be shown: they arrive node by node.
    QTimer m_stale;      ///< Shows when samples have stopped.
    QString m_problem;
    int m_attempt = -1; ///< -1: no state of the run is known yet.
    bool m_isLive = false;
};

} // namespace rankdeck
