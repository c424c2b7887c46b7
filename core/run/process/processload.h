#pragma once

#include "device/sample/processjoin.h"

#include <QElapsedTimer>
#include <QtGlobal>

#include <unordered_map>
#include <vector>

namespace rankdeck
{

/// Returns what pids mean here, for all visible processes of all users. Reads nothing on a host.
PidView pidViewOfAll();

/// A process at the top of a tree, for example a rank. With its start time, because pids are reused.
struct TreeRoot {
    pid_t pid = 0;
    quint64 startTime = 0; ///< As in ProcessInfo.
};

/// The load of a process and of all processes below it together.
struct TreeLoad {
    int processes = 0;
    qint64 residentBytes = 0; ///< Pages that processes share are counted in each.
    /// Percent of one core since the last sample: 250 is 2.5 cores. Nothing in a tree's first sample.
    std::optional<double> cpuPercent;
    /// From and to disks, network file systems included; traffic in memory is not counted. Nothing in a
    /// tree's first sample, and if processes of another user may not be inspected.
    std::optional<double> readBytesPerSecond;
    std::optional<double> writtenBytesPerSecond;
};

/// Samples process trees from /proc. Blocks while it reads two small files of each process. Processes that
/// are not below a root are read once and then passed over, so that the cost hardly grows with what else
/// runs. An orphan stays in the tree that it was seen in; one that lives between two samples is not seen.
class ProcessLoad
{
public:
    /// Returns each root's load; nothing if it has ended. Roots may change; one below another counts alone.
    std::vector<std::optional<TreeLoad>> sample(const std::vector<TreeRoot> &roots);

    /// Returns the processes in the trees at the last sample, each with its root.
    std::unordered_map<pid_t, pid_t> members() const;

private:
    struct Bytes {
        quint64 read = 0;
        quint64 written = 0;
    };
    struct Known {
        quint64 startTime = 0;
        pid_t root = 0;          ///< Root of its tree; 0: none.
        unsigned int seenIn = 0; ///< Number of the last sample that has seen it.
        quint64 cpuTicks = 0;    ///< At the last sample, as are `bytes`.
        std::optional<Bytes> bytes;
    };
    struct Sums {
        TreeLoad load;
        quint64 cpuTicks = 0; ///< Since the last sample, as are `bytes`.
        Bytes bytes;
        bool hasBytes = true;
    };

    void lookAround(const std::vector<TreeRoot> &roots);
    bool addTo(Sums &sums, pid_t pid, Known &known) const;
    static std::optional<Bytes> bytesOf(pid_t pid);

    std::unordered_map<pid_t, Known> m_known;
    std::unordered_map<pid_t, quint64> m_roots; ///< Roots in the last sample, with their start times.
    QElapsedTimer m_clock;                      ///< Since the last sample.
    unsigned int m_samples = 0;
};

} // namespace rankdeck
