#pragma once

#include "base/result.h"

#include <QMap>

namespace rankdeck
{

/// What --bind_numa binds a process to. Numbers are ascending; empty: as inherited.
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

} // namespace rankdeck
