#include "log/ranklabel.h"

#include <algorithm>
#include <array>

namespace rankdeck
{

QByteArrayView rankColor(int member)
{
    static constexpr std::array<QByteArrayView, 8> colors{"36", "32", "34", "35", "96", "92", "94", "95"};
    return colors[static_cast<std::size_t>(std::max(0, member)) % colors.size()];
}

QByteArrayView severalRanksColor()
{
    return "1";
}

} // namespace rankdeck
