#pragma once

#include "base/oneshottimer.h"
#include "run/workers/ranksearch.h"
#include "run/workers/workergroup.h"

namespace rankdeck
{

/// Where ranks are looked for.
struct RankGround {
    pid_t root = 0; ///< Above all processes of `tree`; 0: they have several roots.
    /// Returns the processes among which ranks are, zombies included.
    std::function<std::vector<ProcessInfo>()> tree;
    /// Returns what a process was started with, as far as it may count.
    RankSearch::EnvironmentOf environmentOf;
    QProcessEnvironment inherited; ///< What the launcher of the ranks was started with.
    QString ownLog;                ///< The launcher's, which is not one of a rank's own.

    /// Returns everything below this process, which is a child subreaper, and what other processes started
    /// for the command, as Slurm's daemon does for srun.
    /// @param console the command that starts ranks, as planned.
    static RankGround below(const ProcessPlan &console);
};

/// Returns true if the process is still there, and not another one that has got its pid.
bool isStill(const ProcessInfo &process);

/// Watches the ranks that a launcher starts on this node. Tells of each process found by RankFound, and again
/// if it has another log by then; once the supervisor has named the index of that rank in the plan, it tells
/// of the rank's start, holds and end as of any other's.
class RankFinder : public QObject
{
    Q_OBJECT

public:
    explicit RankFinder(RankGround ground);

    void start();
    /// Looks now, and returns true if a rank is alive.
    bool looksAlive();
    /// The rank that this process was found to be has this index in the plan.
    void name(int process, const ProcessPlan &plan, qint64 pid);
    /// Returns the pid of a rank by its index; 0 if it does not run or is not one of these.
    qint64 pidOf(int process) const;
    /// Returns the ranks that were alive at the last look.
    std::vector<ProcessInfo> ranks() const;
    SignalTarget targetOf(int process) { return {pidOf(process), nullptr, &m_sent}; }
    /// Ends these ranks: SIGTERM, and SIGKILL after the grace; or SIGKILL at once.
    void end(const QList<int> &processes, bool kill, int graceSeconds);
    /// A process without a parent of its own was reaped.
    void takeEnd(const ProcessInfo &process, const ExitStatus &status);
    /// Looks no more.
    void stop() { m_timer.stop(); }
    /// Nothing below the root is alive.
    void finish();

Q_SIGNALS:
    void happened(const rankdeck::RunEvent &event);
    /// Emitted after each look.
    void looked();

private:
    /// A rank that has been told of.
    struct Found {
        ProcessInfo process;
        int index = -1; ///< In the plan; -1: not named yet.
        std::optional<ExitStatus> status;
        ProcessPlan plan = {};
        int looks = 0;
    };

    void look();
    bool isLeft(const ProcessInfo &process, const std::vector<ProcessInfo> &tree) const;
    void tell(const RankSearch::Rank &rank);
    void tellEnd(const Found &found);
    const Found *named(int process) const;

    RankGround m_ground;
    RankSearch m_search;
    OneShotTimer m_timer;
    std::map<int, Found> m_found; ///< Those that live, by rank.
    HoldWatch m_holds;
    SentSignals m_sent;
};

/// Finds this user's processes on this machine that have a variable in their environment, started by any
/// program: the processes of a Slurm job, and the tasks that Slurm's daemon starts for srun.
class MarkedProcesses
{
public:
    MarkedProcesses(const QString &variable, const QString &value)
        : m_mark('\0' + (variable + '='_L1 + value).toLocal8Bit() + '\0')
    {
    }
    std::vector<ProcessInfo> look();

private:
    QByteArray m_mark;
    /// By pid, start time, and name, which changes with the program.
    std::map<std::tuple<pid_t, quint64, QString>, bool> m_known;
};

} // namespace rankdeck
