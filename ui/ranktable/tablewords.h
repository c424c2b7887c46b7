#pragma once

#include "ranktable/checkedtable.h"

namespace rankdeck
{

/// "rank 3"; "no rank" where the form names no ranks.
QString rankWords(const Device &device);
/// "device 3", or "host" for a process without one.
QString deviceWords(const Device &device);
/// "1 server, 8 devices".
QString sizeWords(const RankTable &table);
/// "super pod 0, group default": its pod's name and what a server belongs to; empty where it belongs to
/// nothing.
QString membershipWords(const RankTable &table, int server);
/// What the findings of a place say, a line each; empty where there are none.
QString findingWords(const CheckedTable &checked, DevicePlace place);
/// What a screen reader or a tool tip says of a device.
QString deviceDescription(const CheckedTable &checked, DevicePlace place);
/// `text` as a tool tip that Qt does not look through for markup: it comes from a file.
QString plainToolTip(const QString &text);

} // namespace rankdeck
