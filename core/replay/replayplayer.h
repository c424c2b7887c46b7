#pragma once

#include "background/inbackground.h"
#include "diagnosis/progress/rankprogress.h"
#include "run/replay/runreplay.h"

#include <QElapsedTimer>
#include <QTimer>

namespace rankdeck
{

/// The replayed run, and the object that keeps its files.
struct ReplaySource {
    std::shared_ptr<const RunReplay> replay;
    std::shared_ptr<const void> files; ///< An unpacked bundle or split logs; may be null.
};

/// Opens the run, directory of logs or report bundle that a user has named. Blocks. Fails if it is none.
Result<ReplaySource> openReplay(const QString &name);

struct ReplayMoment {
    QDateTime time; ///< UTC.
    RunState state;
    std::vector<LogLengths> logs;       ///< By process.
    std::vector<RankProgress> progress; ///< By process.
    RunSamples samples;
};
/// Blocks for some milliseconds.
ReplayMoment momentOf(const RunReplay &replay, const QDateTime &time);

struct ReplayStep {
    QDateTime time; ///< UTC.
    qint64 step = 0;
};
/// Returns the step that a run had done at each of `count` times, evenly over it, by the log of the first of
/// its ranks with one; without times before its first step. Blocks.
QList<ReplayStep> stepsOf(const RunReplay &replay, int count);

/// Plays a past run: keeps the current time in it, and computes the state of that time in the background.
class ReplayPlayer : public QObject
{
    Q_OBJECT

public:
    /// Begins at `at`, paused.
    ReplayPlayer(ReplaySource source, const QDateTime &at, double speed);

    const RunReplay &replay() const { return *m_source.replay; }
    bool isPlaying() const { return m_clock.isPlaying(); }
    double speed() const { return m_clock.speed(); }
    QDateTime time() const { return m_clock.time(m_steady.elapsed()); }
    double fraction() const { return m_clock.fraction(m_steady.elapsed()); } ///< 0 .. 1.

    /// Steps for the time line; empty until stepsFound().
    const QList<ReplayStep> &steps() const { return m_steps; }

    static const QList<double> &speeds(); ///< The speeds that a user chooses from, in their order.

    void playOrPause();
    void setSpeed(double speed);
    void changeSpeed(int steps); ///< Goes up or down in speeds().
    void goTo(const QDateTime &time);
    /// Goes to the next mark, or the one before, and returns it; nothing if there is none.
    std::optional<ReplayMark> goToMark(bool isNext);
    void look(); ///< Emits the state of the present time again.

Q_SIGNALS:
    /// It is another time, it plays or pauses, or the speed is another one.
    void moved();
    void stepsFound();
    void reached(const rankdeck::ReplayMoment &moment);

private:
    void tick();
    void take(const ReplayMoment &moment);

    ReplaySource m_source;
    QElapsedTimer m_steady;
    ReplayClock m_clock;
    QTimer m_timer;
    bool m_isLooking = false;
    NewestWins<ReplayMoment> m_looking;
    QList<ReplayStep> m_steps;
};

} // namespace rankdeck
