#pragma once

#include "base/oneshottimer.h"
#include "run/record/runrecord.h"

#include <QProcess>

namespace rankdeck
{

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
