#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Groups of a machine's cpus that are near each other. Leaves out groups without a cpu; empty if the machine
/// does not report them.
struct CpuLayout {
    QList<QList<int>> numaNodes;
    QList<QList<int>> sockets;
    QList<QList<int>> coreComplexes; ///< Cpus that share a cache of the third level.

    /// Reads the layout of this machine.
    /// @param sys the folder of the kernel's /sys/devices/system, for tests.
    static CpuLayout read(const QString &sys = u"/sys/devices/system"_s);
    bool operator==(const CpuLayout &) const = default;
};

} // namespace rankdeck
