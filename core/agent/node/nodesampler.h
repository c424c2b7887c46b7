#pragma once

#include "base/ranks.h"
#include "device/sampling/devicesampler.h"
#include "run/samples/entrylog.h"
#include "run/samples/nodesample.h"

namespace rankdeck
{

struct LaunchPlan;
struct ProcessPlan;

/// Samples a node for a run while a client wants samples: the load of its ranks' process trees, read from
/// /proc at each interval, in less than 5 ms for 64 processes, and its NPUs, by a DeviceSampler, which takes
/// longer than the interval if npu-smi is slow. Each sample has the last reading of the NPUs. On a node
/// without a source of readings, samples have loads alone.
class NodeSampler : public QObject
{
    Q_OBJECT

public:
    /// 0 for a process that does not run; else its pid, which is not waited for yet.
    using PidOf = std::function<qint64(int process)>;

    /// @param share of the node: its processes' indices are those of the samples.
    NodeSampler(const LaunchPlan &share, QString node, PidOf pidOf, DeviceSource source,
                DeviceSamplerSettings settings);

    /// Samples at once and then at this interval; 0: stops, and kills a running tool.
    /// @param detailed the process whose card is shown in detail; -1: none.
    void want(std::chrono::milliseconds interval, int detailed = -1);
    /// A rank was found, or found again: it has this index from now on.
    void add(int process, const ProcessPlan &plan);

Q_SIGNALS:
    void sampled(const rankdeck::NodeSample &sample);
    /// As DeviceSampler has them.
    void toolStarted(qint64 pid);
    void toolEnded(qint64 pid);

private:
    /// A process of the node.
    struct Rank {
        int process = 0;
        int rank = -1;   ///< -1: it has none.
        int device = -1; ///< Planned device, as programs number devices; -1: none.
        TreeRoot root;   ///< With pid 0 while it does not run.
    };

    /// Drops values from before a pause in sampling: they are out of date.
    void forgetOld();
    void sample();
    void findRoots();
    void sampleLoads(NodeSample &sample);
    void sampleCollectives(NodeSample &sample);
    /// Adds the collectives of ranks that do not report them themselves, from CANN's entry logs.
    void sampleEntryLogs(NodeSample &sample);
    void takeReading(const DeviceReading &reading);
    void joinUsers();
    void findChips();

    QString m_node;
    PidOf m_pidOf;
    std::vector<Rank> m_ranks;
    QStringList m_statusFolders;         ///< Where ranks say their last collectives.
    QMap<QString, EntryLog> m_entryLogs; ///< By folder, of ranks that HCCL logs them of.
    ProcessLoad m_load;
    DeviceSampler m_devices;
    QTimer m_timer;
    int m_detailed = -1;
    std::optional<Error> m_problem; ///< As NodeSample has it.
    /// The last reading, who uses its chips, and whose these are.
    std::optional<DeviceReading> m_reading;
    bool m_isJoined = false; ///< The users of that reading are found.
    QList<QList<DeviceUser>> m_users;
    QMap<int, int> m_chips;
};

} // namespace rankdeck
