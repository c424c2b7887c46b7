#pragma once

#include "background/iothread.h"
#include "diagnosis/progress/progressfollower.h"
#include "rankdeckctl/top/shownrun.h"
#include "run/control/runclient.h"

namespace rankdeck
{

/// Gathers what is known of a run while it is watched, and passes requests on.
class WatchedRun : public ShownRun
{
    Q_OBJECT

public:
    explicit WatchedRun(const QString &directory);

    void setNow() override { m_snapshot.now = QDateTime::currentDateTimeUtc(); }
    void request(const Request &request) override;
    void show(const QList<int> &processes) override;
    void detail(int process) override;

private:
    void take(const RunState &state);
    void followProgress();
    void takeProgress(const ProgressNews &news);
    void judge();

    IoThread m_thread{u"run"_s}; ///< Outlives what lives in it.
    NewestWins<Judged> m_judging;
    RemoteOwner<RunClient> m_client;
    RemoteOwner<ProgressFollower> m_progress;
};

} // namespace rankdeck
