#pragma once

#include "launch/plan/processplan.h"
#include "run/process/processtree.h"

#include <functional>
#include <map>
#include <set>

namespace rankdeck
{

/// The rank of a process by its environment.
struct RankWords {
    int rank = 0;
    int localRank = 0;
    /// Weight of the variable: the ranks of an outer launcher count less than those of an inner one.
    int strength = 0;

    bool operator==(const RankWords &) const = default;
};

/// Returns the rank that launchers give a process by RANK (torchrun, deepspeed, accelerate), RANK_ID (msrun,
/// mindx), OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK (mpirun), SLURM_PROCID (srun) or LOCAL_RANK; nothing if
/// all of these are as in `inherited`, what the launcher itself was started with. Source: the documents of
/// these programs.
std::optional<RankWords> rankWords(const QProcessEnvironment &environment,
                                   const QProcessEnvironment &inherited);

/// Finds the ranks in a tree of processes. Of processes that pass on their environment the topmost one is the
/// rank, or the Python below it if that is a shell.
class RankSearch
{
public:
    using EnvironmentOf = std::function<QProcessEnvironment(const ProcessInfo &)>;

    /// @param inherited the environment that the launcher of the ranks was started with.
    explicit RankSearch(const QProcessEnvironment &inherited)
        : m_inherited(inherited)
    {
    }

    struct Rank {
        ProcessInfo process;
        RankWords words;
    };

    /// Returns the living ranks among these processes, which are all below `root`, by rank.
    std::map<int, Rank> look(const std::vector<ProcessInfo> &tree, pid_t root,
                             const EnvironmentOf &environmentOf);

private:
    using Key = std::pair<pid_t, quint64>; ///< Pid and start time.

    struct Known {
        QString name; ///< Changes with the program.
        int looks = 0;
        std::optional<RankWords> words;
    };

    void readEnvironments(const std::vector<ProcessInfo> &tree, const EnvironmentOf &environmentOf);

    QProcessEnvironment m_inherited;
    std::map<Key, Known> m_known;
    std::set<Key> m_members; ///< Processes that a rank has started, which may outlive it.
};

/// Returns the command of a process; cut, because a script may be one argument. Empty once it has ended.
QStringList commandOf(pid_t pid);

/// Returns the plan of a running rank: its command, the variables with its rank, and the files behind its
/// standard output and error. Without such a file its log is heldLog(), with Streams::Out.
/// @param ownLog the log of the command that started it, which is not one of the rank's own.
ProcessPlan foundPlan(const RankSearch::Rank &rank, const QProcessEnvironment &environment,
                      const QString &ownLog);

/// Returns the plan of a found rank from its processText(); nothing for another text.
std::optional<ProcessPlan> foundFromText(const QString &text);

} // namespace rankdeck
