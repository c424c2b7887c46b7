#pragma once

#include "ranktable/ids.h"

#include <QString>

#include <optional>
#include <vector>

namespace rankdeck
{

/// One NPU of a rank table.
struct Device {
    DeviceId deviceId;        ///< Physical id.
    QString deviceIp;         ///< The NPU's own address; may be empty on one server.
    std::optional<Rank> rank; ///< Absent in template 2, which names no ranks.

    bool operator==(const Device &) const = default;
};

/// One host with its NPUs. In template 2 one instance (pod) of the job.
struct Server {
    QString serverId;
    QString podName; ///< Template 2 only.
    int group = 0;   ///< Template 2 only: index in group_list.
    std::vector<Device> devices;

    bool operator==(const Server &) const = default;
};

/// The forms this version reads. Others are recognised and named in the error.
enum class RankTableForm {
    GroupList,  ///< "Template 2", v0.1: group_list with devices and no rank ids, as ModelArts writes it.
    ServerList, ///< "Template 1", v1.0: server_list.
};

/// A rank table, whichever form it was read from.
struct RankTable {
    RankTableForm form = RankTableForm::ServerList;
    QString status; ///< "completed" once whole, "initializing" while it is being written.
    std::vector<Server> servers;

    bool isCompleted() const { return status == QLatin1String("completed"); }
    int deviceCount() const;
    const Server *findServer(const QString &serverId) const;
    bool operator==(const RankTable &) const = default;
};

} // namespace rankdeck
