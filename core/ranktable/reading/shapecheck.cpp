#include "ranktable/rules/shape.h"

#include <array>

namespace rankdeck
{

namespace
{

using Type = KeyShape::Type;
using Need = KeyShape::Need;

constexpr std::int64_t maxDevice = 64; // By chip it is less, see the rule device-id-range.
constexpr std::int64_t maxPort = 65535;

template <std::size_t size>
constexpr Shape shape(const std::array<KeyShape, size> &keys, const char *countKey = nullptr)
{
    return {keys, countKey};
}

// Versions 1.0 and 1.2. The keys of super pods may stand in a table of version 1.0: there they are not read.
constexpr std::array serverDeviceKeys{
    KeyShape{"device_id", Type::NumberString, Need::Essential, 0, maxDevice},
    KeyShape{"device_ip"},
    KeyShape{"device_port", Type::NumberString, Need::Optional, 1, maxPort},
    KeyShape{"device_vnic_port", Type::NumberString, Need::Optional, 1, maxPort},
    KeyShape{"backup_device_ip"},
    KeyShape{"backup_device_port", Type::NumberString, Need::Optional, 1, maxPort},
    KeyShape{"super_device_id"},
    KeyShape{"host_ip"},
    KeyShape{"host_port", Type::NumberString, Need::Optional, 1, maxPort},
    KeyShape{"rank_id", Type::NumberString, Need::Essential},
    KeyShape{"device_logical_id", Type::Any},
};
constexpr Shape serverDevice = shape(serverDeviceKeys);

constexpr std::array serverKeys{
    KeyShape{"server_id", Type::String, Need::Essential},
    KeyShape{"host_ip"},
    KeyShape{"host_port", Type::NumberString, Need::Optional, 1, maxPort},
    KeyShape{"device", Type::Objects, Need::Essential, 1, INT32_MAX, &serverDevice},
    KeyShape{"host_nic_ip", Type::Any},
    KeyShape{"server_ip"},
    KeyShape{"container_ip"},
    KeyShape{"hardware_type"},
};
constexpr Shape server = shape(serverKeys);

constexpr std::array superPodServerKeys{KeyShape{"server_id", Type::String, Need::Required}};
constexpr Shape superPodServer = shape(superPodServerKeys);
constexpr std::array superPodKeys{
    KeyShape{"super_pod_id", Type::String, Need::Required},
    KeyShape{"server_list", Type::Objects, Need::Required, 1, INT32_MAX, &superPodServer},
};
constexpr Shape superPod = shape(superPodKeys);

constexpr std::array serverListKeys{
    KeyShape{"version", Type::String, Need::Required},
    KeyShape{"status", Type::String, Need::Essential},
    KeyShape{"server_count", Type::NumberString, Need::Documented},
    KeyShape{"server_list", Type::Objects, Need::Essential, 1, INT32_MAX, &server},
    KeyShape{"super_pod_list", Type::Objects, Need::Optional, 1, INT32_MAX, &superPod},
};
constexpr Shape serverList = shape(serverListKeys);

// The global table: several server lists in one.
constexpr std::array serverGroupKeys{
    KeyShape{"group_id", Type::String, Need::Required},
    KeyShape{"deploy_server"},
    KeyShape{"server_count", Type::NumberString, Need::Documented},
    KeyShape{"server_list", Type::Objects, Need::Essential, 1, INT32_MAX, &server},
    KeyShape{"super_pod_list", Type::Objects, Need::Optional, 1, INT32_MAX, &superPod},
};
constexpr Shape serverGroup = shape(serverGroupKeys);
constexpr std::array serverGroupListKeys{
    KeyShape{"version", Type::String, Need::Required},
    KeyShape{"status", Type::String, Need::Essential},
    KeyShape{"server_group_list", Type::Objects, Need::Essential, 1, INT32_MAX, &serverGroup},
};
constexpr Shape serverGroupList = shape(serverGroupListKeys);

// Template 2.
constexpr std::array instanceDeviceKeys{
    KeyShape{"device_id", Type::NumberString, Need::Essential, 0, maxDevice},
    KeyShape{"device_ip"},
};
constexpr Shape instanceDevice = shape(instanceDeviceKeys);

constexpr std::array instanceKeys{
    KeyShape{"pod_name", Type::String, Need::Essential},
    KeyShape{"server_id", Type::String, Need::Essential},
    KeyShape{"devices", Type::Objects, Need::Essential, 1, INT32_MAX, &instanceDevice},
};
constexpr Shape instance = shape(instanceKeys);

constexpr std::array groupKeys{
    KeyShape{"group_name", Type::String, Need::Required},
    KeyShape{"device_count", Type::NumberString, Need::Required},
    KeyShape{"instance_count", Type::NumberString, Need::Required},
    KeyShape{"instance_list", Type::Objects, Need::Essential, 1, INT32_MAX, &instance},
};
// A group of CPU-only instances has no device; davincirun passes it over.
constexpr Shape group = shape(groupKeys, "device_count");
constexpr std::array groupListKeys{
    KeyShape{"status", Type::String, Need::Essential},
    KeyShape{"group_count", Type::NumberString, Need::Required},
    KeyShape{"group_list", Type::Objects, Need::Essential, 1, INT32_MAX, &group},
};
constexpr Shape groupList = shape(groupListKeys);

// Template 2 of the lab.
constexpr std::array labInstanceKeys{
    KeyShape{"devices", Type::Objects, Need::Essential, 1, INT32_MAX, &instanceDevice},
    KeyShape{"rank_id", Type::NumberString, Need::Essential},
    KeyShape{"server_id", Type::String, Need::Essential},
    KeyShape{"pod_name"},
};
constexpr Shape labInstance = shape(labInstanceKeys);
constexpr std::array labGroupKeys{
    KeyShape{"group_name"},
    KeyShape{"device_num", Type::NumberString, Need::Required, 1},
    KeyShape{"server_num", Type::NumberString, Need::Required, 1},
    KeyShape{"instance_count", Type::NumberString, Need::Required},
    KeyShape{"instance_list", Type::Objects, Need::Essential, 1, INT32_MAX, &labInstance},
};
constexpr Shape labGroup = shape(labGroupKeys);
constexpr std::array labGroupListKeys{
    KeyShape{"status", Type::String, Need::Essential},
    KeyShape{"deploy_mode"},
    KeyShape{"board_id"},
    KeyShape{"chip_info"},
    KeyShape{"group_count", Type::NumberString, Need::Required},
    KeyShape{"group_list", Type::Objects, Need::Essential, 1, INT32_MAX, &labGroup},
    KeyShape{"para_plane_nic_location"},
    KeyShape{"para_plane_nic_name", Type::List},
    KeyShape{"para_plane_nic_num", Type::NumberString},
};
constexpr Shape labGroupList = shape(labGroupListKeys);

// Version 1.1: processes on hosts and on devices.
constexpr std::array nodeRankKeys{
    KeyShape{"rank_id", Type::NumberString, Need::Essential},
    KeyShape{"device_id", Type::NumberString, Need::Optional, -1, maxDevice},
    KeyShape{"bind_device_id", Type::NumberString, Need::Optional, -1, maxDevice},
    KeyShape{"port", Type::NumberString, Need::Optional, 1, maxPort},
    KeyShape{"rank_ip"},
    KeyShape{"sdid"},
};
constexpr Shape nodeRank = shape(nodeRankKeys);
constexpr std::array nodeKeys{
    KeyShape{"node_addr", Type::String, Need::Essential},
    KeyShape{"ranks", Type::Objects, Need::Essential, 1, INT32_MAX, &nodeRank},
};
constexpr Shape node = shape(nodeKeys);
constexpr std::array nodeListKeys{
    KeyShape{"version", Type::String, Need::Required},
    KeyShape{"status", Type::String, Need::Essential},
    KeyShape{"collective_id"},
    KeyShape{"node_list", Type::Objects, Need::Essential, 1, INT32_MAX, &node},
    KeyShape{"mode"},
    KeyShape{"heterog_sub_version"},
};
constexpr Shape nodeList = shape(nodeListKeys);

// Version 2.0: here numbers are numbers.
constexpr std::array rankAddressKeys{
    KeyShape{"addr_type", Type::String, Need::Required},
    KeyShape{"addr", Type::String, Need::Required},
    KeyShape{"backup_addr", Type::Any},
    KeyShape{"ports", Type::List, Need::Optional, 0, 16},
    KeyShape{"plane_id"},
};
constexpr Shape rankAddress = shape(rankAddressKeys);
constexpr std::array levelKeys{
    KeyShape{"net_layer", Type::Number, Need::Required, 0, 7},
    KeyShape{"net_instance_id", Type::String, Need::Required},
    KeyShape{"net_type", Type::String, Need::Required},
    KeyShape{"net_attr"},
    KeyShape{"rank_addr_list", Type::Objects, Need::Optional, 0, 24, &rankAddress},
};
constexpr Shape level = shape(levelKeys);
constexpr std::array rankKeys{
    KeyShape{"rank_id", Type::Number, Need::Essential},
    KeyShape{"local_id", Type::Number, Need::Required, 0, 64},
    KeyShape{"replaced_local_id", Type::Number, Need::Optional, 0, 63},
    KeyShape{"device_id", Type::Number, Need::Essential, 0, maxDevice},
    KeyShape{"device_port", Type::Number, Need::Optional, 1, maxPort},
    KeyShape{"host_port", Type::Number, Need::Optional, 1, maxPort},
    KeyShape{"control_plane", Type::Any},
    KeyShape{"level_list", Type::Objects, Need::Optional, 0, 8, &level},
};
constexpr Shape rank = shape(rankKeys);
constexpr std::array rankListKeys{
    KeyShape{"version", Type::String, Need::Required},
    KeyShape{"status"},
    KeyShape{"rank_count", Type::Number, Need::Required, 1, 65536},
    KeyShape{"detour"},
    KeyShape{"rank_list", Type::Objects, Need::Essential, 1, INT32_MAX, &rank},
};
constexpr Shape rankList = shape(rankListKeys);

} // namespace

const Shape &shapeOf(RankTableForm form)
{
    switch (form) {
    case RankTableForm::GroupList:
        return groupList;
    case RankTableForm::LabGroupList:
        return labGroupList;
    case RankTableForm::ServerList:
    case RankTableForm::SuperPodList:
        return serverList;
    case RankTableForm::NodeList:
        return nodeList;
    case RankTableForm::RankList:
        return rankList;
    case RankTableForm::ServerGroupList:
        return serverGroupList;
    }
    Q_UNREACHABLE();
}

} // namespace rankdeck
