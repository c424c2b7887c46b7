#pragma once

#include <QStringList>

namespace rankdeck
{

/// What Slurm is asked for when a launch is made outside of its allocations.
struct AllocationRequest {
    int nodes = 1;
    QStringList names; ///< These nodes; empty: any.
    bool operator==(const AllocationRequest &) const = default;
};

} // namespace rankdeck
