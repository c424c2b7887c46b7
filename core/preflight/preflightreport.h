#pragma once

#include "agent/preflight/preflightcheck.h"
#include "collective/selftest.h"

#include <QList>
#include <QStringList>

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace rankdeck
{

/// All that a preflight found.
struct PreflightReport {
    std::vector<PreflightCheck> checks; ///< By part, in the order they were made.
    SelfTestResults selfTest;
    /// The launch's rank of each of the self-test's: all of them, or those that stand for the others.
    QList<int> selfTestRanks;
    QStringList selfTestNodes; ///< The node of each.
    double seconds = 0;        ///< That it took.

    /// Keeps the checks ordered by part.
    void add(const PreflightCheck &check);
    int countOf(PreflightCheck::Status status) const;
    /// Nothing failed.
    bool isPassed() const { return countOf(PreflightCheck::Status::Fail) == 0; }
    /// "2 of 31 checks failed, 1 warning, 4 skipped.", or that nothing was found.
    QString summary() const;
};

/// Ranks of pairs and collectives are indices into its "ranks".
nlohmann::json toJson(const PreflightReport &report);

} // namespace rankdeck
