#pragma once

#include "run/runstate.h"

#include <QList>
#include <QString>

#include <vector>

namespace rankdeck
{

/// The stacks of one process as its file has them.
struct DumpedStacks {
    int process = -1; ///< By index in the plan.
    QString text;
};

/// Processes whose stacks are the same.
struct StackGroup {
    QList<int> processes; ///< Ascending.
    QString top;  ///< Where the first thread is: "all_reduce (distributed_c10d.py:123)"; may be empty.
    QString text; ///< Of the first of them.

    bool operator==(const StackGroup &) const = default;
};

/// Groups of equal stacks, the smallest first: who does something else than all others is who is looked for.
/// Of equal size the one with the least process. Numbers of processes and threads, addresses, states of
/// threads and times are no difference.
std::vector<StackGroup> stackGroups(const std::vector<DumpedStacks> &dumps);

/// The last dump of each process that has a file, in their order.
QList<StackDump> lastDumps(const QList<StackDump> &dumps);

/// What the files of `dumps` have; at most 1 MiB of each. Only files below stacks/ of the run directory are
/// read, and no links. Touches the disk.
std::vector<DumpedStacks> readStacks(const QString &runDirectory, const QList<StackDump> &dumps);

} // namespace rankdeck
