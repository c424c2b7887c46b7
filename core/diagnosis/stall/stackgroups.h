#pragma once

#include "run/record/runstate.h"

namespace rankdeck
{

/// The stacks of one process, as in its file.
struct DumpedStacks {
    int process = -1; ///< By index in the plan.
    QString text;
};

/// Processes whose stacks are the same.
struct StackGroup {
    QList<int> processes; ///< Ascending.
    QString top;  ///< Where the first thread is: "all_reduce (distributed_c10d.py:123)"; may be empty.
    QString text; ///< The stack of the first process.

    bool operator==(const StackGroup &) const = default;
};

/// Groups equal stacks, the smallest group first, since the odd one out is usually the cause; then by
/// process. Ignores numbers of processes and threads, addresses, states of threads and times.
std::vector<StackGroup> stackGroups(const std::vector<DumpedStacks> &dumps);

/// Returns the last dump of each process that has a file, in their order.
QList<StackDump> lastDumps(const QList<StackDump> &dumps);

/// Reads the files of `dumps`, at most 1 MiB each: only below stacks/ of the run directory, no links.
std::vector<DumpedStacks> readStacks(const QString &runDirectory, const QList<StackDump> &dumps);

} // namespace rankdeck
