#include "ranktable/reading/tablereading.h"

#include <algorithm>
#include <array>
#include <span>

namespace rankdeck
{

namespace
{

/// Requirements for one key of an object.
struct KeyShape {
    enum class Type {
        String,
        NumberString, ///< A string that holds a whole number: in version 1.x every scalar is a string.
        Number,       ///< A whole number that is one.
        Objects,      ///< A list of objects with the keys `items`.
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
    const KeyShape *items = nullptr; ///< The keys of each object of a list.
    std::size_t itemKeys = 0;        ///< The number of `items`.
    /// A number beside the list: if it is 0, nothing reads the list. May be null.
    const char *countKey = nullptr;
};

using Type = KeyShape::Type;
using Need = KeyShape::Need;
using Effect = FindingCollector::Effect;

constexpr std::int64_t maxDevice = 64; // By chip it is less, see the rule device-id-range.
constexpr std::int64_t maxPort = 65535;

template <std::size_t size>
constexpr KeyShape objects(const char *name, Need need, const std::array<KeyShape, size> &items,
                           std::int64_t least = 1, std::int64_t most = INT32_MAX,
                           const char *countKey = nullptr)
{
    return {name, Type::Objects, need, least, most, items.data(), size, countKey};
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

constexpr std::array serverKeys{
    KeyShape{"server_id", Type::String, Need::Essential},
    KeyShape{"host_ip"},
    KeyShape{"host_port", Type::NumberString, Need::Optional, 1, maxPort},
    objects("device", Need::Essential, serverDeviceKeys),
    KeyShape{"host_nic_ip", Type::Any},
    KeyShape{"server_ip"},
    KeyShape{"container_ip"},
    KeyShape{"pod_ip"},
    KeyShape{"hardware_type"},
};

constexpr std::array superPodServerKeys{KeyShape{"server_id", Type::String, Need::Required}};
constexpr std::array superPodKeys{
    KeyShape{"super_pod_id", Type::String, Need::Required},
    objects("server_list", Need::Required, superPodServerKeys),
};

constexpr std::array serverListKeys{
    KeyShape{"version", Type::String, Need::Required},
    KeyShape{"status", Type::String, Need::Essential},
    KeyShape{"server_count", Type::NumberString, Need::Documented},
    objects("server_list", Need::Essential, serverKeys),
    objects("super_pod_list", Need::Optional, superPodKeys),
};

// The global table: several server lists in one. MindIE's coordinator and controller have a server_ip only.
constexpr std::array groupServerKeys{
    KeyShape{"server_id"},
    KeyShape{"host_ip"},
    KeyShape{"server_ip"},
    objects("device", Need::Optional, serverDeviceKeys),
    KeyShape{"container_ip"},
    KeyShape{"hardware_type"},
    KeyShape{"host_nic_ip", Type::Any},
};
constexpr std::array serverGroupKeys{
    KeyShape{"group_id", Type::String, Need::Required},
    KeyShape{"deploy_server"},
    KeyShape{"server_count", Type::NumberString, Need::Documented},
    objects("server_list", Need::Essential, groupServerKeys),
    objects("super_pod_list", Need::Optional, superPodKeys),
};
constexpr std::array serverGroupListKeys{
    KeyShape{"version", Type::String, Need::Required},
    KeyShape{"status", Type::String, Need::Essential},
    objects("server_group_list", Need::Essential, serverGroupKeys),
};

// Template 2.
constexpr std::array instanceDeviceKeys{
    KeyShape{"device_id", Type::NumberString, Need::Essential, 0, maxDevice},
    KeyShape{"device_ip"},
};

constexpr std::array instanceKeys{
    KeyShape{"pod_name", Type::String, Need::Essential},
    KeyShape{"server_id", Type::String, Need::Essential},
    objects("devices", Need::Essential, instanceDeviceKeys),
};

constexpr std::array groupKeys{
    KeyShape{"group_name", Type::String, Need::Required},
    KeyShape{"device_count", Type::NumberString, Need::Required},
    KeyShape{"instance_count", Type::NumberString, Need::Required},
    // A group of CPU-only instances has no device; davincirun passes it over.
    objects("instance_list", Need::Essential, instanceKeys, 1, INT32_MAX, "device_count"),
};
constexpr std::array groupListKeys{
    KeyShape{"status", Type::String, Need::Essential},
    KeyShape{"group_count", Type::NumberString, Need::Required},
    objects("group_list", Need::Essential, groupKeys),
};

// Template 2 of the lab.
constexpr std::array labInstanceKeys{
    objects("devices", Need::Essential, instanceDeviceKeys),
    KeyShape{"rank_id", Type::NumberString, Need::Essential},
    KeyShape{"server_id", Type::String, Need::Essential},
    KeyShape{"pod_name"},
};
constexpr std::array labGroupKeys{
    KeyShape{"group_name"},
    KeyShape{"device_num", Type::NumberString, Need::Required, 1},
    KeyShape{"server_num", Type::NumberString, Need::Required, 1},
    KeyShape{"instance_count", Type::NumberString, Need::Required},
    objects("instance_list", Need::Essential, labInstanceKeys),
};
constexpr std::array labGroupListKeys{
    KeyShape{"status", Type::String, Need::Essential},
    KeyShape{"deploy_mode"},
    KeyShape{"board_id"},
    KeyShape{"chip_info"},
    KeyShape{"group_count", Type::NumberString, Need::Required},
    objects("group_list", Need::Essential, labGroupKeys),
    KeyShape{"para_plane_nic_location"},
    KeyShape{"para_plane_nic_name", Type::List},
    KeyShape{"para_plane_nic_num", Type::NumberString},
};

// Version 1.1: processes on hosts and on devices.
constexpr std::array nodeRankKeys{
    KeyShape{"rank_id", Type::NumberString, Need::Essential},
    KeyShape{"device_id", Type::NumberString, Need::Optional, -1, maxDevice},
    KeyShape{"bind_device_id", Type::NumberString, Need::Optional, -1, maxDevice},
    KeyShape{"port", Type::NumberString, Need::Optional, 1, maxPort},
    KeyShape{"rank_ip"},
    KeyShape{"sdid"},
};
constexpr std::array nodeKeys{
    KeyShape{"node_addr", Type::String, Need::Essential},
    objects("ranks", Need::Essential, nodeRankKeys),
};
constexpr std::array nodeListKeys{
    KeyShape{"version", Type::String, Need::Required},
    KeyShape{"status", Type::String, Need::Essential},
    KeyShape{"collective_id"},
    objects("node_list", Need::Essential, nodeKeys),
    KeyShape{"mode"},
    KeyShape{"heterog_sub_version"},
};

// Version 2.0: here numbers are numbers.
constexpr std::array rankAddressKeys{
    KeyShape{"addr_type", Type::String, Need::Required},
    KeyShape{"addr", Type::String, Need::Required},
    KeyShape{"backup_addr", Type::Any},
    KeyShape{"ports", Type::List, Need::Optional, 0, 16},
    KeyShape{"plane_id"},
};
constexpr std::array levelKeys{
    KeyShape{"net_layer", Type::Number, Need::Required, 0, 7},
    KeyShape{"net_instance_id", Type::String, Need::Required},
    KeyShape{"net_type", Type::String, Need::Required},
    KeyShape{"net_attr"},
    objects("rank_addr_list", Need::Optional, rankAddressKeys, 0, 24),
};
constexpr std::array rankKeys{
    KeyShape{"rank_id", Type::Number, Need::Essential},
    KeyShape{"local_id", Type::Number, Need::Required, 0, 64},
    KeyShape{"replaced_local_id", Type::Number, Need::Optional, 0, 63},
    KeyShape{"device_id", Type::Number, Need::Essential, 0, maxDevice},
    KeyShape{"device_port", Type::Number, Need::Optional, 1, maxPort},
    KeyShape{"host_port", Type::Number, Need::Optional, 1, maxPort},
    KeyShape{"control_plane", Type::Any},
    objects("level_list", Need::Optional, levelKeys, 0, 8),
};
constexpr std::array rankListKeys{
    KeyShape{"version", Type::String, Need::Required},
    KeyShape{"status"},
    KeyShape{"rank_count", Type::Number, Need::Required, 1, 65536},
    KeyShape{"detour"},
    objects("rank_list", Need::Essential, rankKeys),
};

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

    void checkObject(JsonValue object, std::span<const KeyShape> keys, bool isEssential)
    {
        if (!object.isObject()) {
            m_findings.add(rules::wrongType, object, tr("An object is expected here."), tr("Write { … }."),
                           isEssential ? Effect::Unusable : Effect::Usable);
            return;
        }
        for (JsonValue member = object.first(); member.exists(); member = member.next())
            checkIsKnown(member, keys);
        for (const KeyShape &key : keys) {
            if (key.countKey && object[key.countKey].integer() == 0)
                continue;
            const JsonValue value = object[key.name];
            if (value.exists())
                checkValue(value, key);
            else
                checkMayBeMissing(object, key);
        }
    }

private:
    void checkIsKnown(JsonValue member, std::span<const KeyShape> keys)
    {
        const bool isKnown =
            std::ranges::any_of(keys, [&](const KeyShape &key) { return member.hasKey(key.name); });
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
        if (!key.items)
            return;
        for (JsonValue item = value.first(); item.exists(); item = item.next())
            checkObject(item, {key.items, key.itemKeys}, key.need == Need::Essential);
    }

    FindingCollector &m_findings;
};

/// By RankTableForm.
constexpr std::array<std::span<const KeyShape>, 7> shapes{
    groupListKeys,  labGroupListKeys, serverListKeys,     nodeListKeys,
    serverListKeys, rankListKeys,     serverGroupListKeys};

} // namespace

void checkShape(JsonValue table, RankTableForm form, FindingCollector &findings)
{
    ShapeCheck(findings).checkObject(table, shapes.at(static_cast<std::size_t>(form)), true);
}

} // namespace rankdeck
