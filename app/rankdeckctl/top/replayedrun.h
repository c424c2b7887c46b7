#pragma once

#include "rankdeckctl/top/shownrun.h"
#include "replay/replayplayer.h"

namespace rankdeck
{

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
