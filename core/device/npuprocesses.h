#pragma once

#include "result.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <chrono>

namespace rankdeck
{

/// A process that uses an NPU, as `npu-smi info` shows it.
struct NpuProcess {
    int device = 0; ///< Logical id: the chips' order of appearance, or what the table calls Device or Phy-ID.
    qint64 pid = 0; ///< The host's, also where a container asks.
    QString name;   ///< Cut short by npu-smi, and empty for processes of other containers.

    bool operator==(const NpuProcess &) const = default;
};

/// The process table at the end of what `npu-smi info` prints, whatever the layout: rows are told by their
/// fields, never by columns. Rows that cannot be understood are passed over. Source: hicann/driver,
/// npu_info_print.c, and recorded output of versions 20 to 26.
QList<NpuProcess> npuProcessesFrom(const QByteArray &text);

/// npu-smi in PATH or where the driver's package installs it; empty: there is none.
QString npuSmiPath();

/// Run `npu-smi info`, which takes a second or more, and read its process table. Blocks.
/// Error: it failed, or did not answer in time.
Result<QList<NpuProcess>> askNpuProcesses(const QString &npuSmi, std::chrono::milliseconds limit);

} // namespace rankdeck
