#pragma once

#include "background/inbackground.h"
#include "base/oneshottimer.h"
#include "run/record/failure.h"
#include "run/record/runrecord.h"

#include <QProcess>

namespace rankdeck
{

/// Finds the verdict on a run of which all processes have exited, and keeps it in the run directory, in a
/// thread of its own. The run's end waits for it, but not for long (for an adopted run up to a minute): a
/// verdict that takes longer is left to the first reader.
class RunJudge : public QObject
{
    Q_OBJECT

public:
    RunJudge();

    /// @param runDirectory of a run that has trouble, see RunState, or was adopted.
    void start(const QString &runDirectory, bool isAdopted);

    /// What it found, once it is done: the process that the verdict names, by index in the plan (-1: none),
    /// and the run's failure, of an adopted run only if there is evidence of one.
    using Found = std::pair<int, std::optional<Failure>>;
    const Found &found() const { return m_found; }

Q_SIGNALS:
    /// The verdict is kept, or will not be. Emitted once.
    void done();

private:
    void finish();

    NewestWins<Found> m_work;
    Found m_found{-1, {}};
    OneShotTimer m_limit;
    bool m_isDone = false;
};

/// Runs the command of the variable RANKDECK_ON_END, if the run has one, when the run ends or stalls, without
/// a shell. It finds the run in variables that begin with RANKDECK_RUN, and prints into on-end.log of the run
/// directory. It holds the supervisor up for a minute at most.
class RunHook : public QObject
{
    Q_OBJECT

public:
    RunHook();
    ~RunHook() override;

    /// Runs the command, and emits idle() when it has exited; at once if there is none.
    /// @param state phaseWord() of a run that has finished, or "stalled".
    /// @param reason why it failed or which ranks are stalled; may be empty.
    void start(const QString &runDirectory, const RunRecord &record, const QString &state,
               const QString &reason);

    static constexpr int limitMs = 60'000;

Q_SIGNALS:
    void idle();

private:
    void startNext();

    QProcess m_process;
    QProcessEnvironment m_environment;
    QStringList m_waiting; ///< Program and arguments; empty: nothing is to be started.
    OneShotTimer m_limit;
};

} // namespace rankdeck
