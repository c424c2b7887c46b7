#include "plot/spreadrows.h"

#include <algorithm>
#include <cstddef>

namespace rankdeck
{

std::vector<int> spreadRows(std::vector<int> rows, int top, int bottom, int height)
{
    std::vector<std::size_t> order;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        if (rows[at] != noRow)
            order.push_back(at);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&rows](std::size_t one, std::size_t other) { return rows[one] < rows[other]; });
    const bool isRoom = static_cast<int>(order.size()) * height <= bottom - top;
    int free = top;
    for (const std::size_t at : order) {
        rows[at] = std::clamp(rows[at], top, std::max(top, bottom - height));
        if (rows[at] >= free || isRoom)
            rows[at] = std::max(rows[at], free);
        else
            rows[at] = noRow;
        free = rows[at] == noRow ? free : rows[at] + height;
    }
    if (!isRoom)
        return rows;
    int end = bottom;
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        rows[*at] = std::min(rows[*at], end - height);
        end = rows[*at];
    }
    return rows;
}

} // namespace rankdeck
