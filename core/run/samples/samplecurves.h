#pragma once

#include "valueseries.h"

#include <QList>
#include <QMetaType>

#include <array>

namespace rankdeck
{

/// What is plotted of a process over a run's time: of its NPU, and of its process tree.
enum class SampleQuantity {
    AiCore,      ///< Percent; of a 950 the chip as a whole.
    Memory,      ///< GB of 2^30 bytes: HBM, or DDR where there is no HBM.
    Temperature, ///< °C
    Power,       ///< W
    Clock,       ///< MHz, of the AI cores.
    Cpu,         ///< Percent of one core.
    Resident,    ///< GB of 2^30 bytes.
    Read,        ///< MB of 2^20 bytes a second.
    Written,     ///< The same.
};
inline constexpr std::size_t sampleQuantities = 9;

/// Whether it is one of an NPU.
constexpr bool isOfDevice(SampleQuantity quantity)
{
    return quantity < SampleQuantity::Cpu;
}

/// Quantities of some processes of a plan over the time, in ms since 1970.
struct SampleCurves {
    struct Curve {
        int process = 0; ///< By index in LaunchPlan::processes.
        std::array<ValueSeries, sampleQuantities> values;

        const ValueSeries &of(SampleQuantity quantity) const
        {
            return values[static_cast<std::size_t>(quantity)];
        }
        bool operator==(const Curve &) const = default;
    };
    QList<Curve> curves; ///< In the order in which they were asked for.
    /// What was not known for longer than this, ms, nobody looked at.
    qint64 gap = 0;
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::SampleCurves)
