#pragma once

#include "launch/plan/launchplan.h"

#include <map>

namespace rankdeck
{

/// Finds the ranks that MindSpore gives to processes whose launcher does not number them, in their logs:
/// "This node 5 rank id: 5", "Global rank id: 5". Source: cluster_context.cc of MindSpore, and its documents.
class ToldRanks
{
public:
    /// Reads on in the logs of the workers of `plan`, each up to its present end,
    /// at most to 4 MiB. Blocks.
    void read(const LaunchPlan &plan);
    /// Whether all workers were told their ranks.
    bool areAllTold(const LaunchPlan &plan) const;
    /// Gives the workers of `plan` the ranks that they were told. Returns false, and changes nothing, if that
    /// is no news, or two workers were to have the same rank, as where a log is of another launch.
    bool giveTo(LaunchPlan &plan) const;

private:
    struct Log {
        qint64 read = 0;
        std::optional<Rank> rank; ///< The last one: the cluster may have formed again.
    };
    std::optional<Rank> toldTo(const ProcessPlan &worker) const;

    std::map<QString, Log> m_logs; ///< By path.
};

} // namespace rankdeck
