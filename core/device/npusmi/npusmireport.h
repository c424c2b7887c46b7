#pragma once

#include "device/sample/devicemap.h"

namespace rankdeck
{

/// A card as `npu-smi info -l` and `-t board` report it.
struct NpuCard {
    CardId card;
    QString productName;
    QString serialNumber;
    std::optional<int> chipCount;
    std::optional<BusId> bus;
    std::optional<int> boardTemperatureC; ///< Temperature from the card's own controller ("mcu").

    bool operator==(const NpuCard &) const = default;
};

/// Why npu-smi reports nothing.
struct NpuSmiFailure {
    std::optional<int> code; ///< DCMI's, where it is printed: -8005.
    QString line;            ///< As printed: "dcmi module initialize failed. ret is -8005".
};

struct NpuSmiReport {
    QString toolVersion;
    QString driverVersion;
    /// One for each chip, in the order of the output; of `info watch` one for each row.
    QList<DeviceSample> samples;
    QList<NpuCard> cards;
    DeviceMap map;
    std::optional<NpuSmiFailure> failure;
};

/// Reads any output of `npu-smi info`: its tables (310, 910, A3, 950 and the wide ones of 26.0), -m, -l, the
/// key and value lines of -t common, usages, memory, temp, power, health, board, proc-mem, ecc and
/// current-fault-event, phyid-remap, the rows of `info watch`, and several of them one after the other.
/// Recognises words by their neighbours, never by their column, so that masked, cut and hand-edited output is
/// read too; skips the rest. Other text is an empty report. Source: hicann/driver,
/// npucli/src/npu_info_print.c, npu_info_watch.c, npu_card_info.c and npu_chip_info.c, and recorded output of
/// versions 22 to 26.
NpuSmiReport parseNpuSmi(QByteArrayView text);

/// Rows of `npu-smi info watch`, as they come: a heading once, then one row for each chip, again and again.
class NpuSmiWatchRows
{
public:
    /// Reads a line without its end. Returns nothing for the heading, and for a line that is not a row.
    std::optional<DeviceSample> addLine(QByteArrayView line);

private:
    QList<QByteArray> m_columns; ///< Labels in lower case, without blanks.
};

} // namespace rankdeck
