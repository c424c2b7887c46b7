#pragma once

#include "ranktable/findings/checkedtable.h"

namespace rankdeck
{

/// Returns "rank 3", or "no rank" if the form names no ranks.
QString rankWords(const Device &device);
/// Returns "device 3", or "host" for a process without a device.
QString deviceWords(const Device &device);
/// Returns "1 server, 8 devices".
QString sizeWords(const RankTable &table);
/// Returns a server's pod name, super pod and group: "super pod 0, group default"; may be empty.
QString membershipWords(const RankTable &table, int server);
/// Returns the findings of a place, one in each line; may be empty.
QString findingWords(const CheckedTable &checked, DevicePlace place);
/// Returns the description of a device for tool tips and screen readers.
QString deviceDescription(const CheckedTable &checked, DevicePlace place);
/// Returns a tool tip that shows `text`, which comes from a file, as it is: never as markup.
QString plainToolTip(const QString &text);

} // namespace rankdeck
