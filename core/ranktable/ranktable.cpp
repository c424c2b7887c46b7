#include "ranktable/ranktable.h"

#include <algorithm>
#include <numeric>

namespace rankdeck
{

int RankTable::deviceCount() const
{
    return std::accumulate(servers.begin(), servers.end(), 0, [](int sum, const Server &server) {
        return sum + static_cast<int>(server.devices.size());
    });
}

const Server *RankTable::findServer(const QString &serverId) const
{
    const auto found = std::find_if(servers.begin(), servers.end(),
                                    [&](const Server &server) { return server.serverId == serverId; });
    return found == servers.end() ? nullptr : &*found;
}

} // namespace rankdeck
