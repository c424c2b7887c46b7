#pragma once

#include "device/npusmi/npusmireport.h"

#include <utility>

// Words of npu-smi's output as values. Nothing for other words ("NA", "-"), and for numbers out of range.

namespace rankdeck::npusmi
{

/// A whole number from 0 up, as far as the first blank: "46 C" is 46.
std::optional<qint64> countFrom(QByteArrayView word);
/// The same, from 0 to two thousand million.
std::optional<int> numberFrom(QByteArrayView word);
/// The same as an id.
template <typename Id>
std::optional<Id> idFrom(QByteArrayView word)
{
    const auto number = numberFrom(word);
    return number ? std::optional(Id(*number)) : std::nullopt;
}
/// 0 to 100.
std::optional<int> percentFrom(QByteArrayView word);
/// Degrees Celsius, -100 to 1000: DCMI's marks of a failed reading (0x7ffd, 0x7fff) are beyond.
std::optional<int> temperatureFrom(QByteArrayView word);
/// Watts above 0 and below a million: a chip without a sensor prints 0.0.
std::optional<double> powerFrom(QByteArrayView word);
/// The numbers of "0x80E18005,0x80E18008" or "80E18005"; empty for "NA". Nothing where there are other words.
std::optional<QList<quint32>> errorCodesFrom(QByteArrayView text);

/// The words between blanks.
QList<QByteArray> wordsOf(QByteArrayView text);
/// Returns the texts between two or more blanks, so that "Ascend 910B3" stays one.
QList<QByteArray> cellsOf(QByteArrayView line);
/// A label without blanks and in lower case: "npureal-timepower(w)".
QByteArray labelOf(QByteArrayView text);
QString textOf(QByteArrayView text);

/// Reads "label : value" lines. They come in blocks with an empty line between; a block's "Chip ID" may be
/// its first line (-t common) or its last (-t usages), and the card is that of the last "NPU ID".
class NpuSmiValues
{
public:
    explicit NpuSmiValues(NpuSmiReport &report)
        : m_report(report)
    {
    }

    void addLine(QByteArrayView line); ///< Passes over any other line.
    void endBlock();
    /// Forgets the card: the following lines are the output of another command.
    void forgetCard();

private:
    bool addProcess(QByteArrayView line);
    QByteArray valueOf(const char *label) const;
    void readBoard();
    void readMapping(DeviceIds ids);
    void readSample(const DeviceIds &ids);
    void readController(const DeviceSample &sample);
    void applyTo(DeviceSample &sample) const;
    NpuCard *cardOf(CardId id); ///< Returns null if there are too many cards.

    NpuSmiReport &m_report;
    std::optional<CardId> m_card;
    QList<std::pair<QByteArray, QByteArray>> m_block; ///< Labels as labelOf() makes them, and values.
    std::optional<QList<DeviceProcess>> m_processes;  ///< Processes in the block.
};

} // namespace rankdeck::npusmi
