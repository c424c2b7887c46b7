#pragma once

#include "base/ranks.h"

#include <optional>
#include <vector>

namespace rankdeck
{

/// Returns the offset behind the closing quote of the JSON string at `begin`; the text's length without one.
qsizetype endOfJsonString(QByteArrayView text, qsizetype begin);

/// Keys of an object that Rankdeck does not know, as compact JSON text ("{...}"), or empty. They are kept
/// through every conversion that has a place for them.
using OtherKeys = QByteArray;

/// A key of a JSON object with its value as JSON text.
struct JsonMember {
    QByteArray key; ///< As it stands between the quotes.
    QByteArray value;
};

/// Returns the keys in their order. `otherKeys` must be a valid JSON object or empty.
std::vector<JsonMember> membersOf(const OtherKeys &otherKeys);

/// Returns the members as JSON text; empty when there are none.
OtherKeys otherKeysOf(const std::vector<JsonMember> &members);

/// Returns all members but those with these keys.
OtherKeys otherKeysWithout(const OtherKeys &otherKeys, const QByteArrayList &keys);

/// Returns the members of `first`, then those whose keys only `second` has.
OtherKeys mergedOtherKeys(const OtherKeys &first, const OtherKeys &second);

/// Returns the string or number under this key as text; empty when there is none.
QString otherText(const OtherKeys &otherKeys, const QByteArray &key);

/// One NPU of a rank table: one entry of "device", "devices", "ranks" or "rank_list".
struct Device {
    /// In form NodeList, a process on the host, which has no NPU.
    static constexpr DeviceId host{-1};

    DeviceId deviceId;     ///< Physical id, 0 to 64 by form and chip; or `host`.
    QString deviceIp = {}; ///< The NPU's own address, or several with commas; may be empty on one server.
    std::optional<Rank> rank = {}; ///< Absent in form GroupList, which names no ranks.
    QString superDeviceId = {};    ///< SDID, decimal; forms SuperPodList and NodeList, else empty.
    OtherKeys otherKeys = {};

    bool operator==(const Device &) const = default;
};

/// One host with its NPUs. In template 2 one instance (pod) of the job: several may stand on one host, and in
/// form LabGroupList each device is an instance of its own.
struct Server {
    QString serverId;     ///< server_id; node_addr in NodeList; net_instance_id of layer 0 in RankList.
    QString podName = {}; ///< Form GroupList only.
    int group = 0;        ///< Index in RankTable::groups; 0 for the forms without groups.
    std::vector<Device> devices = {};
    OtherKeys otherKeys = {};

    bool operator==(const Server &) const = default;
};

/// Returns the number after the last '-' of an instance's name, by which davincirun orders them.
std::optional<qint64> podNumber(const QString &podName);

/// An entry of group_list (template 2) or server_group_list.
struct Group {
    QString name; ///< group_name or group_id.
    OtherKeys otherKeys = {};

    bool operator==(const Group &) const = default;
};

/// An entry of super_pod_list.
struct SuperPod {
    QString superPodId;
    std::vector<QString> serverIds = {};
    int group = 0; ///< Form ServerGroupList: index in RankTable::groups.
    OtherKeys otherKeys = {};

    bool operator==(const SuperPod &) const = default;
};

/// The forms that the field uses. "Version" is the top-level key of that name.
enum class RankTableForm {
    GroupList,       ///< No version, "template 2", v0.1: group_list without rank ids, as ModelArts writes it.
    LabGroupList,    ///< No version, template 2 of the lab: group_list with one rank per instance.
    ServerList,      ///< Version 1.0, "template 1": server_list.
    NodeList,        ///< Version 1.1: node_list, processes on hosts and devices.
    SuperPodList,    ///< Version 1.2: server_list and super_pod_list.
    RankList,        ///< Version 2.0, Ascend 950: rank_list.
    ServerGroupList, ///< Global table of several jobs: server_group_list.
};

/// Returns the form's name in messages, such as "version 1.2 (super_pod_list)". Not translated.
QString formName(RankTableForm form);

/// A rank table, whichever form it was read from.
struct RankTable {
    RankTableForm form = RankTableForm::ServerList;
    QString version; ///< As written; empty in template 2. Writers go by `form`.
    QString status;  ///< "completed" once whole, "initializing" while it is being written.
    std::vector<Server> servers;
    std::vector<Group> groups;       ///< Forms GroupList, LabGroupList, ServerGroupList.
    std::vector<SuperPod> superPods; ///< Forms SuperPodList, ServerGroupList.
    OtherKeys otherKeys = {};

    bool isCompleted() const { return status == "completed"_L1; }
    int deviceCount() const;
    const Server *findServer(const QString &serverId) const;
    bool operator==(const RankTable &) const = default;
};

} // namespace rankdeck
