#pragma once

#include "agent/guardian.h"
#include "run/journal.h"
#include "run/runrecord.h"
#include "run/runstate.h"
#include "run/straykiller.h"
#include "run/unixsignals.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <set>

namespace rankdeck
{

/// What the guardian does when a supervisor has died in the middle of its run: its agents, which tear their
/// ranks down by themselves then, have their time for it, what is left after that is killed, and journal and
/// record say that the run is lost.
class LostRun : public QObject
{
    Q_OBJECT

public:
    LostRun(QString runDirectory, const GuardedProcess &supervisor, QObject *parent = nullptr);

    /// Does nothing but to emit finished() when the run had ended, or is that of another supervisor.
    void start();

Q_SIGNALS:
    void finished();

private:
    void readJournal();
    void childEnded();
    bool anAgentLives() const;
    void conclude();
    void record(const RunEvent &event);

    QString m_directory;
    GuardedProcess m_supervisor;
    RunRecord m_record;
    RunState m_state;
    std::optional<Journal> m_journal;
    UnixSignals m_signals;
    std::set<pid_t> m_agents; ///< And salloc, which ends like them.
    QString m_job;            ///< What Slurm has given to the run.
    QTimer m_limit;           ///< Of the agents.
    StrayKiller m_killer;
};

} // namespace rankdeck
