#pragma once

#include <QByteArray>
#include <QtGlobal>

#include <optional>

namespace rankdeck
{

/// What one line of a log says of a training's progress, as it stands there. What the line does not say is
/// absent, never 0.
struct ProgressPoint {
    // No training has more; what says so is something else.
    static constexpr double mostEpochs = 1e6;
    static constexpr double mostSteps = 1e12;

    std::optional<double> epoch;      ///< From 0 or 1, as the program counts; some print fractions.
    std::optional<qint64> epochs;     ///< How many there will be.
    std::optional<qint64> step;       ///< Of the epoch or of the whole training, as the program counts.
    std::optional<qint64> steps;      ///< How many there will be, counted in the same way.
    std::optional<double> loss;       ///< Of training, not of validation; may be NaN or infinite.
    std::optional<double> stepMs;     ///< Duration of a step, ms.
    std::optional<double> throughput; ///< In throughputUnit.
    std::optional<double> learningRate;
    QByteArray throughputUnit; ///< Such as "samples/s" or "tokens/s"; as the line has it.
    bool isGlobalStep = false; ///< The step is said to be of the whole training.
    bool isBar = false;        ///< Of a progress bar, which may be that of another loop.

    bool operator==(const ProgressPoint &) const = default;
};

} // namespace rankdeck
