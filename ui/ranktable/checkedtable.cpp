#include "ranktable/checkedtable.h"

namespace rankdeck
{

int CheckedTable::lineOf(DevicePlace place) const
{
    if (!place.isValid() || size_t(place.server) >= report->lines.size())
        return 0;
    const ServerLines &lines = report->lines[size_t(place.server)];
    if (place.device < 0)
        return lines.line;
    return size_t(place.device) < lines.devices.size() ? lines.devices[size_t(place.device)] : 0;
}

} // namespace rankdeck
