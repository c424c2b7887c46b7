#pragma once

#include <QByteArray>
#include <QMetaType>

#include <optional>

namespace rankdeck
{

/// What a client of a run says of samples (NodeSample): nothing is sampled for those that do not want any.
struct SampleWish {
    bool isWanted = false;
    /// The process, by index in the plan, whose NPU is looked at closely: npu-smi is asked more of that one
    /// (its clocks, say), which costs another call; -1: of none.
    int detailed = -1;

    /// "sample 7", "sample all", "sample none".
    QByteArray toLine() const;
    /// Nothing for another line.
    static std::optional<SampleWish> fromLine(const QByteArray &line);

    bool operator==(const SampleWish &) const = default;
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::SampleWish)
