#pragma once

#include "background/inbackground.h"
#include "background/iothread.h"
#include "diagnosis/progress/progressfollower.h"
#include "diagnosis/verdict/verdict.h"
#include "rankdeckctl/top/rankrows.h"
#include "replay/replayplayer.h"
#include "run/control/runclient.h"

namespace rankdeck
{

/// A run as a TopView shows it, whether it goes on or is replayed.
class ShownRun : public QObject
{
    Q_OBJECT

public:
    /// Returns false until the run has been read.
    bool isThere() const { return m_isThere; }
    const RunSnapshot &snapshot() const { return m_snapshot; }
    /// Returns the whole verdict; empty until there is one.
    const QString &verdict() const { return m_verdict; }
    /// Returns the stacks that were dumped, equal ones together; empty: none.
    const QString &stacks() const { return m_stacks; }
    /// Sets the time of the snapshot to now.
    virtual void setNow() = 0;

    /// Passes a request on; a past run ignores it.
    virtual void request(const Request &) {}
    /// Says which logs are shown: they are copied first from other nodes.
    virtual void show(const QList<int> &) {}
    /// Says of which process's NPU all is to be known.
    virtual void detail(int) {}

    /// Returns how much of a log is to be shown; null: all of it.
    virtual LogLimit limitOf(int /*process*/, bool /*isError*/) const { return {}; }

Q_SIGNALS:
    /// The processes of the run are others now: it was read first, or restarted.
    void planned();
    void changed();
    /// Something for the user to read, in a sentence.
    void said(const QString &sentence);
    /// There is no such run.
    void failed(const QString &sentence);

protected:
    /// A verdict as it is shown.
    struct Judged {
        Judged(const Verdict &verdict, const RunState &state);

        QString text;
        QString headline;
        QHash<int, QString> findings;
    };

    ShownRun();
    /// Reads the stacks of the newest dumps in the background.
    void readStacks();

    RunSnapshot m_snapshot;
    bool m_isThere = false;
    QString m_verdict;

private:
    QString m_stacks;
    NewestWins<QString> m_readingStacks;
};

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

/// A past run as it was at a time, which passes while it plays.
class ReplayedRun : public ShownRun
{
    Q_OBJECT

public:
    /// Begins at `at`.
    ReplayedRun(ReplaySource source, const QDateTime &at, double speed);

    void setNow() override {}
    LogLimit limitOf(int process, bool isError) const override;

    ReplayPlayer &player() { return m_player; }
    const ReplayPlayer &player() const { return m_player; }
    /// Takes a key that changes the time or the speed. Returns false for others.
    bool press(QChar letter);

private:
    /// Goes to the next mark, or the one before, and reports its text.
    void goToMark(bool isNext);
    void take(const ReplayMoment &moment);
    void setLimits(const std::vector<LogLengths> &logs);
    void judge();

    struct Limits {
        std::shared_ptr<std::atomic<qint64>> log;
        std::shared_ptr<std::atomic<qint64>> error;
    };
    ReplayPlayer m_player;
    std::vector<Limits> m_limits; ///< By process.
    std::optional<Judged> m_judged;
    NewestWins<Judged> m_judging;
};

/// Returns the line with the time, the speed and the marks of a replay, in this many cells.
QList<LogRun> replayLine(const ReplayedRun &run, int cells);

} // namespace rankdeck
