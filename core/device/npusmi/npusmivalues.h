#pragma once

#include "device/npusmi/npusmireport.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

#include <optional>
#include <utility>

namespace rankdeck::npusmi
{

/// Reads "label : value" lines. They come in blocks with an empty line between; a block's "Chip ID" may be
/// its first line (-t common) or its last (-t usages), and the card is that of the last "NPU ID".
class NpuSmiValues
{
public:
    explicit NpuSmiValues(NpuSmiReport &report)
        : m_report(report)
    {
    }

    /// Returns false for any other line.
    bool addLine(QByteArrayView line);
    void endBlock();
    /// The following lines are the output of another command.
    void forgetCard();

private:
    bool addProcess(QByteArrayView line);
    QByteArray valueOf(const char *label) const;
    void readBoard();
    void readMapping(const DeviceIds &ids);
    void readSample(const DeviceIds &ids);
    void readController(const DeviceSample &sample);
    void applyTo(DeviceSample &sample) const;
    /// Returns null if there are too many cards.
    NpuCard *cardOf(CardId id);

    NpuSmiReport &m_report;
    std::optional<CardId> m_card;
    QList<std::pair<QByteArray, QByteArray>> m_block; ///< Labels as labelOf() makes them, and values.
    std::optional<QList<DeviceProcess>> m_processes;  ///< Of the block.
};

} // namespace rankdeck::npusmi
