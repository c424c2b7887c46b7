#pragma once

#include "log/line/loglinereader.h"
#include "run/process/exitstatus.h"

#include <map>
#include <set>

namespace rankdeck
{

/// The exit of a process of a launch, as its launcher reported it.
struct ToldEnd {
    ExitStatus status;
    qint64 pid = 0;              ///< 0: not reported.
    std::optional<LogTime> time; ///< To the second.
};

/// Reads from the output of a launcher how its ranks exited: the failures that torchrun lists, and the
/// reports of mpirun, srun, DeepSpeed, vLLM, msrun and torch.multiprocessing, and Rankdeck's own. Source: the
/// texts of these programs.
class LauncherWords
{
public:
    /// Reads the next line, without a prefix and colours. Returns true if it is the launcher's own.
    bool take(QByteArrayView line);

    const std::map<int, ToldEnd> &ends() const { return m_ends; } ///< By rank.
    /// Exits of processes for which the launcher reports no rank, by pid.
    const std::map<qint64, ToldEnd> &endsByPid() const { return m_endsByPid; }
    /// The ranks of processes that the launcher started, by pid.
    const std::map<qint64, int> &ranks() const { return m_ranks; }
    /// The rank that the launcher saw fail first, where one that a signal ended in the same seconds counts
    /// more than one that exited: the latter only lost it.
    std::optional<int> first() const;
    bool isEmpty() const { return m_ends.empty() && m_endsByPid.empty(); }
    /// How often torchrun saw an attempt fail, and has not said that it gave up.
    int failedAttempts() const { return m_ends.empty() && !m_isRootCause ? m_failedAttempts : 0; }

private:
    bool takeRankdeck(QByteArrayView line);
    bool takeTorchrun(QByteArrayView line);
    bool takeOthers(QByteArrayView line);
    bool takeTasks(QByteArrayView line);
    void end(int rank, const ExitStatus &status, qint64 pid = 0);

    std::map<int, ToldEnd> m_ends;
    std::map<qint64, ToldEnd> m_endsByPid;
    std::map<qint64, int> m_ranks;
    std::optional<int> m_rootCause; ///< As torchrun reports it.
    std::optional<int> m_firstTold;
    std::optional<int> m_ownFirst; ///< By the verdict that Rankdeck printed.
    int m_verdictLines = 0;        ///< So many lines may still belong to that.
    bool m_isBehindEnd = false;    ///< The line before says how one of Rankdeck's processes ended.
    int m_failedAttempts = 0;
    std::optional<int> m_block; ///< The rank of the failure that torchrun is listing.
    std::optional<LogTime> m_blockTime;
    std::optional<int> m_process; ///< The rank whose exit code mpirun's next line has.
    bool m_isRootCause = false;
};

} // namespace rankdeck
