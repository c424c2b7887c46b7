#pragma once

#include "run/runstate.h"
#include "run/samples/runsamples.h"
#include "run/samples/samplehistoryfollower.h"
#include "run/samples/samplewish.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

namespace rankdeck
{

class DeviceDetails;
class DeviceGrid;
class RunSession;

/// Asks for samples of the run that is shown while somebody can see what is made of them, and feeds grid and
/// details with these. Hidden, minimised or covered, the window wants none, and then the nodes' npu-smi is
/// left alone.
class RunSampling : public QObject
{
    Q_OBJECT

public:
    RunSampling(DeviceGrid *grid, DeviceDetails *details, QWidget *page);

    /// Another run; null: none.
    void setSession(RunSession *session);
    void setState(const RunState &state);
    const RunSamples &samples() const { return m_samples; }
    /// As last told.
    const SampleWish &wish() const { return m_wish; }

Q_SIGNALS:
    /// Why NPUs of nodes cannot be read, in a line; empty: nothing is known to be wrong.
    void problemChanged(const QString &problem);

protected:
    /// Of the page, what shows samples, and their window.
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
    QTimer m_feed;  ///< Runs while samples wait to be shown: those of many nodes come one by one.
    QTimer m_stale; ///< To see that no more come.
    QString m_problem;
    int m_attempt = -1; ///< -1: nothing is known of the run yet.
    bool m_isLive = false;
};

} // namespace rankdeck
