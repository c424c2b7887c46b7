#pragma once

#include "device/npusmi/npusmireport.h"

namespace rankdeck
{

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
