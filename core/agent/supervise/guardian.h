#pragma once

#include "run/process/unixsignals.h"
#include "run/record/journal.h"
#include "run/record/runrecord.h"
#include "run/record/runstate.h"
#include "run/strays/strays.h"

#include <string_view>

namespace rankdeck
{

// A supervisor can be killed, and so can its agent with it; so can the agent of another node, where no
// supervisor sees what is left. Its parent, the guardian, has nothing else to do than to wait for that: a
// process forked from the same program before there is anything in it, which sleeps in one system call. It
// continues a child that somebody stopped, hands SIGTERM and SIGINT on to it, and when it has died, what is
// left of the run comes to the guardian, which ends it (LostRun, lostAgentCommand()). The guardian's own
// parent, the keeper, does the same when both are killed, as by who kills all that is called rankdeckctl: it
// has another name and another command line. Losing one of the two costs a run nothing but this.

/// What a guardian guarded, and how it has ended.
struct GuardedProcess {
    pid_t pid = 0;
    ExitStatus status;
};

/// Forks twice. In the grandchild, which is to be the supervisor or the agent, nothing is returned, at once;
/// in the guardian how that has ended, when it has, and so in the keeper if the guardian was killed. Without
/// them where the system cannot fork. Call it before there is a thread or a QCoreApplication.
/// @param arguments those of main(); the keeper's are hidden from others.
std::optional<GuardedProcess> forkGuarded(char **arguments);

/// What an agent is started with that is to have a guardian.
inline constexpr std::string_view guardedOption = "--guarded";

/// Who guards this process; nothing when forkGuarded() did not make it. It is told of its guardian's end
/// by SIGCHLD.
std::optional<SupervisorId> guardianOfThisProcess();

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
