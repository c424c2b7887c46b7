#include "ranktable/ranktable.h"

#include <algorithm>
#include <numeric>

namespace rankdeck
{

QString formName(RankTableForm form)
{
    switch (form) {
    case RankTableForm::GroupList:
        return QStringLiteral("template 2 (group_list)");
    case RankTableForm::LabGroupList:
        return QStringLiteral("template 2, lab (group_list with deploy_mode)");
    case RankTableForm::ServerList:
        return QStringLiteral("version 1.0 (server_list)");
    case RankTableForm::NodeList:
        return QStringLiteral("version 1.1 (node_list)");
    case RankTableForm::SuperPodList:
        return QStringLiteral("version 1.2 (super_pod_list)");
    case RankTableForm::RankList:
        return QStringLiteral("version 2.0 (rank_list)");
    case RankTableForm::ServerGroupList:
        return QStringLiteral("global table (server_group_list)");
    }
    Q_UNREACHABLE();
}

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
