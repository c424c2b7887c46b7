#pragma once

#include "diagnosis/progress/rankprogress.h"

#include <QString>

#include <vector>

namespace rankdeck
{

/// How far a whole run is: as far as its farthest rank.
struct RunProgress {
    std::optional<qint64> step; ///< See RankProgress.
    std::optional<qint64> steps;
    bool countsEpochs = false;
    std::optional<double> loss;        ///< That was said last by the rank that is farthest.
    std::optional<double> stepMs;      ///< The median of the ranks'.
    std::optional<double> remainingMs; ///< Nothing where that cannot be told.

    /// 0 .. 1; nothing where the end is not known.
    std::optional<double> fraction() const;
    bool operator==(const RunProgress &) const = default;
};
RunProgress runProgress(const std::vector<RankProgress> &ranks);

/// "1,200".
QString countText(qint64 count);
/// "2.131", "1e-07", "nan".
QString lossText(double loss);
/// "510 ms", "1.9 s", "103 s".
QString stepTimeText(double ms);
/// Coarsely: "40 s", "12 min", "2 h 1 min", "3 d 4 h".
QString remainingText(double ms);

/// Of a rank, in few words: "step 1,200 loss 2.131". Empty where it printed neither.
QString progressText(const RankProgress &progress);
/// Of a run: "step 1,200 of 5,000 · loss 2.131 · 1.9 s/step · 2 h 1 min left".
/// @param isLive whether it goes on; else nothing is left.
QString progressText(const RunProgress &progress, bool isLive);

} // namespace rankdeck
