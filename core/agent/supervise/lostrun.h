#pragma once

#include "agent/head/goodbye.h"
#include "agent/supervise/guardian.h"
#include "base/oneshottimer.h"
#include "run/process/unixsignals.h"
#include "run/record/journal.h"
#include "run/record/runrecord.h"
#include "run/record/runstate.h"
#include "run/strays/strays.h"

namespace rankdeck
{

/// Cleans up for the guardian when a supervisor has died in the middle of its run: says goodbye to agents of
/// other nodes, waits for all agents, which then stop their ranks by themselves, kills the processes left
/// after that, and writes into journal and record that the run is lost.
class LostRun : public QObject
{
    Q_OBJECT

public:
    LostRun(QString runDirectory, const GuardedProcess &supervisor);

    /// Only emits finished() if the run had finished, or belongs to another supervisor.
    void start();

Q_SIGNALS:
    void finished();

private:
    void readJournal();
    void addIfOwn(qint64 pid);
    void sayGoodbye();
    void childEnded();
    bool anAgentLives() const;
    void killRestIfAgentsEnded();
    void conclude();
    void record(const RunEvent &event);

    QString m_directory;
    GuardedProcess m_supervisor;
    RunRecord m_record;
    RunState m_state;
    std::optional<Journal> m_journal;
    UnixSignals m_signals;
    std::set<pid_t> m_agents;                        ///< And salloc, which ends like them.
    QMap<QString, events::AgentStarted> m_farAgents; ///< By their nodes.
    std::vector<std::unique_ptr<Goodbye>> m_goodbyes;
    QString m_job;        ///< Slurm's job for the run.
    OneShotTimer m_limit; ///< Limit for the agents.
    StrayKiller m_killer;
};

} // namespace rankdeck
