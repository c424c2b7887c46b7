#pragma once

#include "ranktable/ranktable.h"
#include "result.h"

#include <QStringList>

namespace rankdeck
{

/// Device ids of a text such as "0-3,6", "[0,8)" (as hccl_tools.py: 0 to 7) or "0,2,4"; ascending, each once.
/// Error: something else, an empty list, an id over 64.
Result<std::vector<DeviceId>> parseDeviceList(const QString &text);

/// Only these devices of these servers; no devices: all; no servers: all. In every form: ranks are numbered
/// anew from 0 in their old order, counts follow, servers and super pods without devices go. Errors: a server
/// that is not in the table, a device that one of the servers does not have.
Result<RankTable> subsetOfRankTable(const RankTable &table, const std::vector<DeviceId> &devices,
                                    const QStringList &servers);

} // namespace rankdeck
