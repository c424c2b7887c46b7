#pragma once

#include "device/devicehistory.h"
#include "device/historyfile.h"
#include "result.h"

#include <QMap>
#include <QString>

#include <optional>

namespace rankdeck
{

/// Writes the history of devices: about 20 bytes a chip and 2 for one that is as it was. Blocks as
/// HistoryFile does.
class DeviceHistoryWriter
{
public:
    /// @param path of a file that may be there already; it is then continued.
    explicit DeviceHistoryWriter(const QString &path, qint64 limit = HistoryFile::usualLimit);

    /// @param chipsOfProcesses index in the reading's samples by process of the run, where that is known.
    /// Error: it cannot be written. The next reading is tried anew.
    std::optional<Error> add(const DeviceReading &reading, const QMap<int, int> &chipsOfProcesses = {});

private:
    HistoryFile m_file;
};

} // namespace rankdeck
