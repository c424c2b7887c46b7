#pragma once

#include "launch/plan/processplan.h"
#include "run/samples/nodehistory.h"
#include "run/samples/runsamples.h"

#include <map>

namespace rankdeck
{

/// The histories of one node of a past run, cut into pieces of a few hundred kilobytes that are read when
/// their time is asked for. Holds the text of the files, at most 8 MB.
class SampleTime
{
public:
    /// How far back of a time samples are of use: what RunSamples has of a live run.
    static constexpr qint64 reachMs = qint64(RunSamples::mostRecent) * RunSamples::recentSeconds * 1000;

    /// @param node its place in sampledNodes(); its histories may be missing.
    SampleTime(const QString &runDirectory, int node, const LaunchPlan &plan);

    /// Adds to `samples` those of the five minutes up to `ms` (ms since 1970), in the order of their times.
    void addUntil(qint64 ms, RunSamples &samples) const;

private:
    struct Piece {
        qint64 first = 0; ///< First moment; ms since 1970.
        qint64 last = 0;
        QByteArray text; ///< A complete history.
    };
    static std::vector<Piece> piecesOf(const QString &path);

    static bool isInReach(const Piece &piece, qint64 ms)
    {
        return piece.first <= ms && piece.last >= ms - reachMs;
    }
    static bool isInReach(const QDateTime &time, qint64 ms);

    // These add the load of processes, and set the newest values in `last`.
    void addDevices(qint64 ms, RunSamples &samples, NodeSample &last) const;
    void addLoads(qint64 ms, RunSamples &samples, NodeSample &last) const;

    QString m_node;
    std::map<int, ProcessPlan> m_processes; ///< Processes of the node, by index.
    std::vector<Piece> m_devices;
    std::vector<Piece> m_loads;
};

} // namespace rankdeck
