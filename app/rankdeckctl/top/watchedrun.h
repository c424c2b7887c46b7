#pragma once

#include "background/inbackground.h"
#include "background/iothread.h"
#include "diagnosis/progress/progressfollower.h"
#include "rankdeckctl/top/rankrows.h"
#include "run/control/runclient.h"

namespace rankdeck
{

/// Gathers what is known of a run while it is watched, and passes requests on.
class WatchedRun : public QObject
{
    Q_OBJECT

public:
    explicit WatchedRun(const QString &directory);

    /// Returns false until the run has been read.
    bool isThere() const { return m_isThere; }
    const RunSnapshot &snapshot() const { return m_snapshot; }
    /// Returns the whole verdict; empty until there is one.
    const QString &verdict() const { return m_verdict; }
    /// Returns the stacks that were dumped, equal ones together; empty: none.
    const QString &stacks() const { return m_stacks; }
    /// Sets the time of the snapshot to now.
    void setNow() { m_snapshot.now = QDateTime::currentDateTimeUtc(); }

    void stop(const StopRequest &request);
    void dump(const QList<int> &processes);
    /// Says which logs are shown: they are copied first from other nodes.
    void show(const QList<int> &processes);
    /// Says of which process's NPU all is to be known.
    void detail(int process);

Q_SIGNALS:
    /// The processes of the run are others now: it was read first, or restarted.
    void planned();
    void changed();
    /// Something for the user to read, in a sentence.
    void said(const QString &sentence);
    /// There is no such run.
    void failed(const QString &sentence);

private:
    void take(const RunState &state);
    void followProgress();
    void takeProgress(const ProgressNews &news);
    void takeSample(const NodeSample &sample);
    void readStacks();
    void judge();

    struct Judged {
        QString text;
        QString headline;
        QHash<int, QString> findings;
    };

    IoThread m_thread{QStringLiteral("run")}; ///< Outlives what lives in it.
    RunSnapshot m_snapshot;
    bool m_isThere = false;
    QString m_verdict;
    QString m_stacks;
    NewestWins<Judged> m_judging;
    NewestWins<QString> m_readingStacks;
    RemoteOwner<RunClient> m_client;
    RemoteOwner<ProgressFollower> m_progress;
};

} // namespace rankdeck
