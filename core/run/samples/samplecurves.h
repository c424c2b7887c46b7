#pragma once

#include "valueseries.h"

#include <QList>
#include <QMetaType>

#include <array>

namespace rankdeck
{

/// What is plotted of a process over a run's time: of its NPU, and of its process tree.
enum class SampleQuantity {
    AiCore,      ///< Percent.
    Npu,         ///< Percent: the chip as a whole, where it does not tell of its AI cores (a 950).
    Hbm,         ///< GB of 2^30 bytes.
    Ddr,         ///< The same, where there is no HBM (a 310).
    Temperature, ///< °C
    Power,       ///< W
    Clock,       ///< MHz, of the AI cores.
    Cpu,         ///< Percent of one core.
    Resident,    ///< GB of 2^30 bytes.
    Read,        ///< MB of 2^20 bytes a second.
    Written,     ///< The same.
};
inline constexpr std::size_t sampleQuantities = 11;

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
