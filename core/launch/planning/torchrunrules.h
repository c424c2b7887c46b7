#pragma once

#include "base/sentence.h"
#include "launch/host/hostfacts.h"

// The meaning of torchrun's options on this node. Source: torch.distributed.run and
// torch.distributed.elastic.agent.server.local_elastic_agent (1.13 and 2.9).

namespace rankdeck
{

/// Returns how many ranks --nproc auto, cpu, gpu or npu means: "cpu" a rank for each cpu; "gpu" and "npu" one
/// for each NPU of ASCEND_RT_VISIBLE_DEVICES, else of this node; "auto" the NPUs, else the cpus. A note says
/// which. Fails for another word, if there is no NPU, and for named nodes, which may differ.
Result<int> countedRanks(const LaunchSpec &spec, const HostFacts &facts, QList<Sentence> &notes);

/// With --virtual-local-rank, returns the one NPU that each local rank sees; else nothing. Fails if
/// ASCEND_RT_VISIBLE_DEVICES names fewer than ranks.
Result<QStringList> devicesByLocalRank(const LaunchSpec &spec, const HostFacts &facts);

/// With --numa-binding, returns the cpus of each local rank; else nothing. The ranks are shared out evenly,
/// in order, over the NUMA nodes ("node"; with "exclusive" the ranks of a node share out its cpus too), the
/// sockets or the core complexes: which of them an NPU is near is not known here. A note says if a rank is
/// not bound. Fails for another word, and beside --bind-core.
Result<QList<QList<int>>> cpusByLocalRank(const LaunchSpec &spec, const HostFacts &facts,
                                          QList<Sentence> &notes);

/// Returns --log-line-prefix-template, else TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE; empty: torch's own.
QString linePrefixTemplate(const LaunchSpec &spec, const HostFacts &facts);

/// The parts of a prefix.
struct PrefixWords {
    QString name; ///< Name of the launch; in torch's own prefix.
    QString role;
    int localRank = 0;
    int rank = 0;
    QString host;
};
/// Returns what stands before each line of a rank: `text` with $role_name, $local_rank, $rank, $hostname and
/// $$ replaced as Python's string.Template does it, others kept; for an empty text "[<name><local rank>]:".
QString linePrefix(const QString &text, const PrefixWords &words);

} // namespace rankdeck
