#include "ranktable/reading/tablereading.h"

#include <algorithm>
#include <array>
#include <span>

namespace rankdeck
{

namespace
{

struct Shape;

/// Requirements for one key of an object.
struct KeyShape {
    enum class Type {
        String,
        NumberString, ///< A string that holds a whole number: in version 1.x every scalar is a string.
        Number,       ///< A whole number that is one.
        Objects,      ///< A list of objects of shape `item`.
        List,         ///< A list of anything.
        Any,
    };
    enum class Need {
        Optional,
        Documented, ///< The documentation asks for it, the library does not.
        Required,   ///< The library rejects the table without it.
        Essential,  ///< Required, and nothing can be launched without it.
    };

    const char *name;
    Type type = Type::String;
    Need need = Need::Optional;
    std::int64_t least = 0; ///< Least value of a number, or least length of a list.
    std::int64_t most = INT32_MAX;
    const Shape *item = nullptr;
};

/// The keys of an object.
struct Shape {
    std::span<const KeyShape> keys;
    /// The number of the object's items: if 0, nothing reads the object's lists. May be null.
    const char *countKey = nullptr;
};

using Type = KeyShape::Type;
using Need = KeyShape::Need;
using Effect = FindingCollector::Effect;

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
constexpr Shape serverShape = shape(serverKeys);

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
    KeyShape{"server_list", Type::Objects, Need::Essential, 1, INT32_MAX, &serverShape},
    KeyShape{"super_pod_list", Type::Objects, Need::Optional, 1, INT32_MAX, &superPod},
};
constexpr Shape serverList = shape(serverListKeys);

// The global table: several server lists in one. MindIE's coordinator and controller have a server_ip only.
constexpr std::array groupServerKeys{
    KeyShape{"server_id"},
    KeyShape{"host_ip"},
    KeyShape{"server_ip"},
    KeyShape{"device", Type::Objects, Need::Optional, 1, INT32_MAX, &serverDevice},
    KeyShape{"container_ip"},
    KeyShape{"hardware_type"},
    KeyShape{"host_nic_ip", Type::Any},
};
constexpr Shape groupServer = shape(groupServerKeys);
constexpr std::array serverGroupKeys{
    KeyShape{"group_id", Type::String, Need::Required},
    KeyShape{"deploy_server"},
    KeyShape{"server_count", Type::NumberString, Need::Documented},
    KeyShape{"server_list", Type::Objects, Need::Essential, 1, INT32_MAX, &groupServer},
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
constexpr Shape groupShape = shape(groupKeys, "device_count");
constexpr std::array groupListKeys{
    KeyShape{"status", Type::String, Need::Essential},
    KeyShape{"group_count", Type::NumberString, Need::Required},
    KeyShape{"group_list", Type::Objects, Need::Essential, 1, INT32_MAX, &groupShape},
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
constexpr Shape rankShape = shape(rankKeys);
constexpr std::array rankListKeys{
    KeyShape{"version", Type::String, Need::Required},
    KeyShape{"status"},
    KeyShape{"rank_count", Type::Number, Need::Required, 1, 65536},
    KeyShape{"detour"},
    KeyShape{"rank_list", Type::Objects, Need::Essential, 1, INT32_MAX, &rankShape},
};
constexpr Shape rankList = shape(rankListKeys);

Effect effectOf(const KeyShape &key)
{
    return key.need == Need::Essential ? Effect::Unusable : Effect::Usable;
}

class ShapeCheck
{
public:
    explicit ShapeCheck(FindingCollector &findings)
        : m_findings(findings)
    {
    }

    void checkObject(JsonValue object, const Shape &shape, bool isEssential)
    {
        if (!object.isObject()) {
            m_findings.add(rules::wrongType, object, tr("An object is expected here."), tr("Write { … }."),
                           isEssential ? Effect::Unusable : Effect::Usable);
            return;
        }
        for (JsonValue member = object.first(); member.exists(); member = member.next())
            checkIsKnown(member, shape);
        const bool isCounted = !shape.countKey || object[shape.countKey].integer() != 0;
        for (const KeyShape &key : shape.keys) {
            if (!isCounted && key.type == Type::Objects)
                continue;
            const JsonValue value = object[key.name];
            if (value.exists())
                checkValue(value, key);
            else
                checkMayBeMissing(object, key);
        }
    }

private:
    void checkIsKnown(JsonValue member, const Shape &shape)
    {
        const bool isKnown =
            std::ranges::any_of(shape.keys, [&](const KeyShape &key) { return member.hasKey(key.name); });
        if (!isKnown)
            m_findings.add(rules::unknownKey, member,
                           tr("\"%1\" is not a key of this form; it is kept, but not used.")
                               .arg(QString::fromUtf8(member.key())));
    }

    void checkMayBeMissing(JsonValue object, const KeyShape &key)
    {
        if (key.need == Need::Optional)
            return;
        const QString what = tr("\"%1\" is missing.").arg(QLatin1String(key.name));
        const QString mend = tr("Add \"%1\".").arg(QLatin1String(key.name));
        if (key.need == Need::Documented)
            m_findings.add(rules::missingDocumentedKey, object, what, mend);
        else
            m_findings.add(rules::missingKey, object, what, mend, effectOf(key));
    }

    void checkValue(JsonValue value, const KeyShape &key)
    {
        switch (key.type) {
        case Type::String:
            if (!value.isString())
                wrongType(value, key, tr("a string"), tr("Put it in double quotes."));
            return;
        case Type::NumberString:
        case Type::Number:
            checkNumber(value, key);
            return;
        case Type::Objects:
        case Type::List:
            checkList(value, key);
            return;
        case Type::Any:
            return;
        }
    }

    void wrongType(JsonValue value, const KeyShape &key, const QString &wanted, const QString &mend)
    {
        m_findings.add(rules::wrongType, value, tr("\"%1\" must be %2.").arg(QLatin1String(key.name), wanted),
                       mend, effectOf(key));
    }

    void checkNumber(JsonValue value, const KeyShape &key)
    {
        const bool isText = key.type == Type::NumberString;
        const bool isRightType = isText ? value.isString() : value.kind() == JsonValue::Kind::Number;
        const auto number = value.integer();
        const QString name = QLatin1String(key.name);
        if (!number) {
            m_findings.add(rules::notANumber, value,
                           isText ? tr("\"%1\" must be a whole number in a string.").arg(name)
                                  : tr("\"%1\" must be a whole number.").arg(name),
                           isText ? tr("Write it like \"0\".") : tr("Write it like 0."), effectOf(key));
            return;
        }
        if (!isRightType)
            m_findings.add(rules::wrongType, value,
                           isText ? tr("\"%1\" must be a string, but it is a number.").arg(name)
                                  : tr("\"%1\" must be a number, but it is a string.").arg(name),
                           isText ? tr("Write \"%1\".").arg(*number) : tr("Write %1.").arg(*number));
        if (*number < key.least || *number > key.most) {
            const bool isNoIndex = *number < key.least || *number > INT32_MAX;
            m_findings.add(rules::outOfRange, value,
                           key.most == INT32_MAX
                               ? tr("\"%1\" is %2, less than %3.").arg(name).arg(*number).arg(key.least)
                               : tr("\"%1\" is %2, not in the range %3 to %4.")
                                     .arg(name)
                                     .arg(*number)
                                     .arg(key.least)
                                     .arg(key.most),
                           tr("Correct the number."), isNoIndex ? effectOf(key) : Effect::Usable);
        }
    }

    void checkList(JsonValue value, const KeyShape &key)
    {
        const QString name = QLatin1String(key.name);
        if (!value.isArray()) {
            wrongType(value, key, tr("a list"), tr("Write [ … ]."));
            return;
        }
        if (value.size() < key.least)
            m_findings.add(rules::emptyList, value, tr("\"%1\" is empty.").arg(name),
                           tr("Fill it, or remove the entry that contains it."));
        else if (value.size() > key.most)
            m_findings.add(rules::longList, value,
                           tr("\"%1\" has %2 entries; at most %3 are allowed.")
                               .arg(name)
                               .arg(value.size())
                               .arg(key.most),
                           tr("Remove the surplus entries."));
        if (!key.item)
            return;
        for (JsonValue item = value.first(); item.exists(); item = item.next())
            checkObject(item, *key.item, key.need == Need::Essential);
    }

    FindingCollector &m_findings;
};

/// By RankTableForm.
constexpr std::array shapes{&groupList,  &labGroupList, &serverList,     &nodeList,
                            &serverList, &rankList,     &serverGroupList};

} // namespace

void checkShape(JsonValue table, RankTableForm form, FindingCollector &findings)
{
    ShapeCheck(findings).checkObject(table, *shapes.at(static_cast<std::size_t>(form)), true);
}

} // namespace rankdeck
