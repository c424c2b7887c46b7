#pragma once

#include "run/samples/nodehistory.h"

#include <QHash>

#include <memory>

namespace rankdeck
{

using NodeHistories = std::vector<std::unique_ptr<NodeHistory>>;

/// Returns the histories of the nodes of these processes, by indexes of the plan.
NodeHistories nodeHistories(const QString &runDirectory, const LaunchPlan &plan, const QList<int> &processes);

/// Reads the curves of some processes from a run's history of samples, as it grows. Blocks for a read.
class SampleCurveReader
{
public:
    SampleCurveReader() = default;
    /// @param runDirectory of a run, live or not, or of an opened bundle.
    SampleCurveReader(const QString &runDirectory, const LaunchPlan &plan, const QList<int> &processes);

    /// Reads a piece of each node's history. Returns false if there was nothing new.
    bool readOn();
    SampleCurves curves() const;

private:
    void take(const NodeHistory &history, const NodeHistory::Piece &piece);

    QList<int> m_processes;
    NodeHistories m_histories;
    QHash<int, SampleCurves::Curve> m_curves; ///< By process.
};

} // namespace rankdeck
