#pragma once

#include "base/result.h"
#include "ranktable/table/ranktable.h"

#include <QStringList>

namespace rankdeck
{

/// Reads device ids from a text such as "0-3,6", "[0,8)" (as hccl_tools.py: 0 to 7) or "0,2,4"; ascending,
/// each once. Fails for other text, an empty list and ids over 64.
Result<std::vector<DeviceId>> parseDeviceList(const QString &text);

/// Returns the table with only these devices of these servers; an empty list means all. In every form, ranks
/// are renumbered from 0 in their old order, and servers and super pods without devices are removed. Fails if
/// a server is not in the table, or one of the servers lacks a device.
Result<RankTable> subsetOfRankTable(const RankTable &table, const std::vector<DeviceId> &devices,
                                    const QStringList &servers);

} // namespace rankdeck
