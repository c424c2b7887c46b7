#pragma once

#include "background/inbackground.h"
#include "rankdeckctl/top/shownrun.h"
#include "run/replay/runreplay.h"

#include <QElapsedTimer>
#include <QTimer>

namespace rankdeck
{

/// What is replayed, and what keeps its files.
struct ReplaySource {
    std::shared_ptr<const RunReplay> replay;
    std::shared_ptr<const void> files; ///< An unpacked bundle or split logs; may be null.
};

/// Opens the run, directory of logs or report bundle that a user has named. Blocks. Fails if it is none of
/// these.
Result<ReplaySource> openReplay(const QString &name);

/// All that is known at a moment of a replay.
struct ReplayMoment {
    QDateTime time;
    RunState state;
    std::vector<LogLengths> logs;
    std::vector<RankProgress> progress;
    RunSamples samples;
};
ReplayMoment momentOf(const RunReplay &replay, const QDateTime &time);

/// A past run as it was at a time, which passes while it plays.
class ReplayedRun : public ShownRun
{
    Q_OBJECT

public:
    /// Begins at `at`.
    ReplayedRun(ReplaySource source, const QDateTime &at, double speed);

    void setNow() override {}
    LogLimit limitOf(int process, bool isError) const override;

    const RunReplay &replay() const { return *m_source.replay; }
    bool isPlaying() const { return m_clock.isPlaying(); }
    double speed() const { return m_clock.speed(); }
    QDateTime time() const { return m_clock.time(m_steady.elapsed()); }
    double fraction() const { return m_clock.fraction(m_steady.elapsed()); }

    void playOrPause();
    /// Ten steps from 1 to 1000.
    void changeSpeed(int steps);
    void goTo(const QDateTime &time);
    /// Goes to the next mark, or the one before, and says what it is.
    void goToMark(bool isNext);

private:
    void tick();
    void look();
    void take(const ReplayMoment &moment);
    void setLimits(const std::vector<LogLengths> &logs);
    void judge();

    struct Limits {
        std::shared_ptr<std::atomic<qint64>> log;
        std::shared_ptr<std::atomic<qint64>> error;
    };
    struct Judged {
        QString text;
        QString headline;
        QHash<int, QString> findings;
    };

    ReplaySource m_source;
    QElapsedTimer m_steady;
    ReplayClock m_clock;
    QTimer m_timer;
    std::vector<Limits> m_limits; ///< By process.
    bool m_isLooking = false;
    std::optional<Judged> m_judged;
    NewestWins<ReplayMoment> m_looking;
    NewestWins<Judged> m_judging;
    NewestWins<QString> m_readingStacks;
};

/// Returns the line with the time, the speed and the marks of a replay, in so many cells.
QList<LogRun> replayLine(const ReplayedRun &run, int cells);

} // namespace rankdeck
