#pragma once

#include <QElapsedTimer>
#include <QtGlobal>

#include <optional>
#include <unordered_map>
#include <vector>

#include <sys/types.h>

namespace rankdeck
{

/// A process at the top of a tree, a rank say. With its start time, because a pid may be a stranger's by now.
struct TreeRoot {
    pid_t pid = 0;
    quint64 startTime = 0; ///< As ProcessInfo has it.
};

/// What a process and everything below it use together.
struct TreeLoad {
    int processes = 0;
    qint64 residentBytes = 0; ///< Pages that processes share are counted in each.
    /// Percent of one core since the last sample, so that 250 is two and a half. Nothing in a tree's first
    /// one.
    std::optional<double> cpuPercent;
    /// From and to disks, network file systems included; what stays in memory is not counted. Nothing in a
    /// tree's first sample, and where another user's processes may not be looked into.
    std::optional<double> readBytesPerSecond;
    std::optional<double> writtenBytesPerSecond;
};

/// Samples process trees from /proc. Blocks for as long as it takes to read two small files a process.
/// Processes that are not below a root are looked at once and then passed over, so that the cost hardly grows
/// with what else runs. An orphan stays in the tree that it was seen in; what starts and ends between two
/// samples is not seen.
class ProcessLoad
{
public:
    /// One for each root, in their order; nothing for one that has ended. Roots may come and go between
    /// samples; one below another counts on its own.
    std::vector<std::optional<TreeLoad>> sample(const std::vector<TreeRoot> &roots);

    /// What was in the trees by the last sample: each process with the root that it is below.
    std::unordered_map<pid_t, pid_t> members() const;

private:
    struct Bytes {
        quint64 read = 0;
        quint64 written = 0;
    };
    struct Known {
        quint64 startTime = 0;
        pid_t root = 0;          ///< Of the tree that it belongs to; 0: none.
        unsigned int seenIn = 0; ///< The last sample that it was there in.
        quint64 cpuTicks = 0;    ///< At the last sample, as are these.
        std::optional<Bytes> bytes;
    };
    struct Sums {
        TreeLoad load;
        quint64 cpuTicks = 0; ///< Since the last sample, as are these.
        Bytes bytes;
        bool hasBytes = true;
    };

    void lookAround(const std::vector<TreeRoot> &roots);
    bool addTo(Sums &sums, pid_t pid, Known &known) const;
    static std::optional<Bytes> bytesOf(pid_t pid);

    std::unordered_map<pid_t, Known> m_known;
    std::unordered_map<pid_t, quint64> m_roots; ///< Those of the last sample, with their start times.
    QElapsedTimer m_clock;                      ///< Since the last sample.
    unsigned int m_samples = 0;
};

} // namespace rankdeck
