#pragma once

#include "run/record/runphase.h"

#include <QDateTime>

namespace rankdeck
{

/// One line of the run list.
struct RunSummary {
    QString name;
    QString title; ///< The plan's short name.
    QString launcher;
    QString directory;
    RunPhase phase = RunPhase::Starting;
    QDateTime created;
    QDateTime ended;
    int exitCode = 0;
    int worldSize = 0;
    QString remark; ///< When a lost run lost its supervisor, or which ranks are stalled; else empty.
    /// The first line of the verdict on a failed run, English; empty until it is kept. See verdictOf().
    QString verdict;

    /// Returns the seconds from the start to the end, or to `now` while the run is live.
    qint64 duration(const QDateTime &now) const;
    bool operator==(const RunSummary &) const = default;
};

} // namespace rankdeck
