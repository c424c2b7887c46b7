#pragma once

#include "base/sentence.h"
#include "launch/host/hostfacts.h"

namespace rankdeck
{

struct ProcessPlan;

/// The cpus and memory to which --bind_numa binds a process. Numbers are ascending; empty: as inherited.
struct ProcessBinding {
    QList<int> cpus;
    QList<int> cpuNodes; ///< NUMA nodes whose cpus it runs on.
    QList<int> memoryNodes;
};

/// By process: "scheduler", "device0" and so on; a process that is named without anything is not bound.
using NumaBinding = QMap<QString, ProcessBinding>;

/// Reads the JSON forms of --bind_numa: NUMA nodes by process, such as {"scheduler":["0"],"device0":["1,2"],
/// "device1":["3-4"]}, and the form of .json files with bind_config, bind_cpu and bind_memory. Errors name
/// the key and the value. Source: MindSpore 2.9, msrun, "CPU and NUMA affinity of processes".
Result<NumaBinding> readNumaBinding(const QByteArray &text);

/// Returns the binding of --bind_numa, whether False, True or JSON, and in `notes` which workers it leaves
/// out. @param devices of the workers, by local rank. @param cpus that --bind_core gives them; with True such
/// workers keep to the nodes of their cpus, and others get equal shares of the nodes.
Result<NumaBinding> numaBinding(const QString &bindNuma, const QList<int> &devices,
                                const QList<QList<int>> &cpus, const HostFacts &facts,
                                QList<Sentence> &notes);

/// Binds the process `name`. Cpus of --bind_core win, as with msrun. Fails for a node that this machine does
/// not have, and if the process may run on none of the cpus.
std::optional<Error> bindToNodes(ProcessPlan &process, const QString &name, const ProcessBinding &binding,
                                 const HostFacts &facts);

} // namespace rankdeck
