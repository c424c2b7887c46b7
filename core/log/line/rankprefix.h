#pragma once

#include "base/tr.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace rankdeck
{

/// A rank that stands before a line.
struct RankPrefix {
    int rank = 0;
    qsizetype size = 0;  ///< Bytes before the text of the line; 0 if the rank stands inside the line's head.
    bool goesOn = false; ///< Lines without a head that follow are of the same rank.
    bool hasTrace = false; ///< So is the traceback that follows.
};

/// Reads the rank of each line of a launcher's output, where one stream has the lines of all ranks:
/// "[rank3]:" (torch), "[default3]:" (torchrun --tee), "[1,3]<stderr>:" (mpirun --tag-output),
/// "(Worker_PP1_TP3 pid=7)" and "(VllmWorker rank=3 pid=7)" (vLLM), "[2026-07-01 02:44:10 TP14]" (SGLang),
/// "(PID:7, Device:3, RankID:3)" (torch_npu), "[pod/job-worker-3/main]" (kubectl logs --prefix),
/// "… - Rank[1] failed." before a traceback (lmdeploy, torch's spawn()), torchelastic's events in JSON,
/// "[E508 03:20:31.678676591 ProcessGroupNCCL.cpp:616] [Rank 3]". Pieces may stand one behind another:
/// "(Worker pid=7) (Worker_TP3 pid=7)",
/// "(RayWorkerWrapper pid=7, ip=10.0.0.2) [rank8]:". A piece with nothing but a pid, "(WorkerDict pid=7)",
/// counts if the sample tells the rank of that pid, or of all others of its kind. "3: " (srun --label) and
/// "worker-3: " or "worker-3 | " (pdsh, compose) count only if most lines begin so. Source: the documents of
/// these programs.
class RankPrefixes
{
public:
    static constexpr qsizetype sampleBytes = 1024 * 1024;

    /// @param sample the beginning of the output, sampleBytes of it or less.
    explicit RankPrefixes(QByteArrayView sample);

    /// @param line without colours; see AnsiDecoder.
    std::optional<RankPrefix> of(QByteArrayView line) const;
    /// Returns the bytes of pieces with nothing but a pid before a line, "(WorkerDict pid=7, ip=10.0.0.2) ".
    static qsizetype sizeOfProcess(QByteArrayView line);

    bool operator==(const RankPrefixes &) const = default;

private:
    void giveLastRank(const std::set<std::string> &pids, int world);

    bool m_hasLabels = false;           ///< "3: "
    bool m_hasHosts = false;            ///< "worker-3: "
    int m_tensorParallel = 1;           ///< Ranks of one pipeline stage of vLLM.
    int m_pipelineParallel = 1;         ///< Stages of one replica of vLLM.
    std::map<std::string, int> m_byPid; ///< Ranks by "pid=7" or "pid=7, ip=10.0.0.2".
};

/// Finds the rank of each line, in order: a line without a head belongs to the rank of the head before it.
class RankLines
{
public:
    explicit RankLines(RankPrefixes prefixes)
        : m_prefixes(std::move(prefixes))
    {
    }
    explicit RankLines(QByteArrayView sample)
        : m_prefixes(sample)
    {
    }
    std::optional<RankPrefix> of(QByteArrayView line);

private:
    RankPrefixes m_prefixes;
    std::optional<int> m_last; ///< The rank for following lines without a head.
    int m_goingOn = 0;
    bool m_awaitsTrace = false;
};

} // namespace rankdeck
