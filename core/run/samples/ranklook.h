#pragma once

#include "run/samples/runsamples.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankdeck
{

/// What ranks are sorted by and told apart by.
enum class RankValue {
    Place, ///< In the rank table.
    State, ///< Worst first.
    AiCore,
    Hbm, ///< Or DDR where there is no HBM: percent of it.
    Temperature,
    Power,
    Health,
    Clock,
    Foreign, ///< How many others are on its NPU.
    Cpu,
    Memory, ///< Resident, of its process tree.
    Read,
    Written,
};

/// A rank as sorting and filtering see it.
struct RankLook {
    int place = 0;           ///< As in the rank table.
    std::optional<int> rank; ///< Nothing: it is no worker.
    QString text;            ///< All that is shown of it in words: title, address, node, state, last line.
    QStringList states;      ///< Words for how it does: "running", "stalled".
    std::optional<int> severity;    ///< 0: worst. Nothing: nothing was started there.
    QString alarm;                  ///< What befell its NPU; empty: nothing that is known.
    RunSamples::Sample sample = {}; ///< What is too old is left out.
};

/// Nothing where it is not known. Units: percent, °C, W, MHz, bytes, bytes a second.
std::optional<double> numberOf(RankValue value, const RankLook &look);

struct RankOrder {
    RankValue by = RankValue::Place;
    bool isDescending = false;

    bool operator==(const RankOrder &) const = default;
};

/// Whether `one` comes before `other`. What has no number comes last in both directions.
bool comesBefore(const std::optional<double> &one, const std::optional<double> &other, bool isDescending);
/// Indexes of `looks` in that order; equal ones stay as they are.
QList<int> inOrder(const QList<RankLook> &looks, const RankOrder &order);

} // namespace rankdeck
