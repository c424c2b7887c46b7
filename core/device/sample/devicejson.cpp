#include "device/sample/devicejson.h"

#include "base/json.h"

#include <algorithm>
#include <type_traits>

namespace rankdeck
{

template <typename Id>
static void put(nlohmann::json &json, const char *key, const std::optional<Id> &id)
{
    if (id)
        json[key] = id->value;
}

/// Returns a number; for an integer type only whole numbers that fit. Returns nothing for other values.
template <typename Number>
static std::optional<Number> numberFrom(const nlohmann::json &json, const char *key)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_number())
        return std::nullopt;
    if constexpr (std::is_floating_point_v<Number>) {
        return found->get<Number>();
    } else {
        if (!found->is_number_integer())
            return std::nullopt;
        if (found->is_number_unsigned() &&
            found->get<quint64>() > static_cast<quint64>(std::numeric_limits<Number>::max()))
            return std::nullopt;
        const auto number = found->get<qint64>();
        if (number < std::numeric_limits<Number>::min() || number > std::numeric_limits<Number>::max())
            return std::nullopt;
        return static_cast<Number>(number);
    }
}

template <typename Id>
static void take(const nlohmann::json &json, const char *key, std::optional<Id> &id)
{
    if (const auto number = numberFrom<int>(json, key); number && *number >= 0)
        id = Id(*number);
}

static QString textFrom(const nlohmann::json &json, const char *key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<QString>() : QString();
}

static DeviceProcess processFrom(const nlohmann::json &json)
{
    DeviceProcess process;
    process.pid = numberFrom<qint64>(json, "pid").value_or(0);
    process.name = textFrom(json, "name");
    process.memoryMb = numberFrom<qint64>(json, "memory_mb");
    process.containerPid = numberFrom<qint64>(json, "container_pid");
    return process;
}

static nlohmann::json toJson(const DeviceProcess &process)
{
    nlohmann::json json{{"pid", process.pid}, {"name", process.name}};
    if (process.memoryMb)
        json["memory_mb"] = *process.memoryMb;
    if (process.containerPid)
        json["container_pid"] = *process.containerPid;
    return json;
}

nlohmann::json toJson(const DeviceUser &user)
{
    nlohmann::json json = toJson(user.process);
    if (user.ownPid > 0)
        json["own_pid"] = user.ownPid;
    if (!user.isForeign())
        json["owner"] = user.owner;
    if (!user.user.isEmpty())
        json["user"] = user.user;
    return json;
}

std::optional<DeviceUser> deviceUserFrom(const nlohmann::json &json)
{
    if (!json.is_object())
        return std::nullopt;
    DeviceUser user;
    user.process = processFrom(json);
    user.ownPid = numberFrom<qint64>(json, "own_pid").value_or(0);
    user.owner = std::max(numberFrom<int>(json, "owner").value_or(-1), -1);
    user.user = textFrom(json, "user");
    return user;
}

nlohmann::json toJson(const DeviceIds &ids)
{
    nlohmann::json json = nlohmann::json::object();
    put(json, "logical_id", ids.logical);
    put(json, "physical_id", ids.physical);
    put(json, "card", ids.card);
    put(json, "chip", ids.chip);
    put(json, "slot", ids.slot);
    if (ids.bus)
        json["bus"] = ids.bus->text;
    return json;
}

nlohmann::json toJson(const DeviceSample &sample)
{
    nlohmann::json json = toJson(sample.ids);
    if (!sample.name.isEmpty())
        json["name"] = sample.name;
    if (!sample.healthWord.isEmpty())
        json["health"] = sample.healthWord;
    forEachNumber(sample, [&](const char *key, const auto &number) {
        if (number)
            json[key] = *number;
    });
    if (sample.clockMhz && sample.ratedClockMhz)
        json["throttled"] = sample.isThrottled();
    if (sample.isLinkUp)
        json["link"] = *sample.isLinkUp ? "up" : "down";
    if (sample.isInvented)
        json["invented"] = true;
    if (sample.errorCodes) {
        json["error_codes"] = nlohmann::json::array();
        for (const quint32 code : *sample.errorCodes)
            json["error_codes"].push_back(QStringLiteral("0x%1")
                                              .arg(code, 8, 16, QLatin1Char('0'))
                                              .toUpper()
                                              .replace(1, 1, QLatin1Char('x')));
    }
    if (sample.processes) {
        json["processes"] = nlohmann::json::array();
        for (const DeviceProcess &process : *sample.processes)
            json["processes"].push_back(toJson(process));
    }
    return json;
}

std::optional<DeviceSample> deviceSampleFrom(const nlohmann::json &json)
{
    if (!json.is_object())
        return std::nullopt;
    DeviceSample sample;
    take(json, "logical_id", sample.ids.logical);
    take(json, "physical_id", sample.ids.physical);
    take(json, "card", sample.ids.card);
    take(json, "chip", sample.ids.chip);
    take(json, "slot", sample.ids.slot);
    if (const QString bus = textFrom(json, "bus"); !bus.isEmpty())
        sample.ids.bus = BusId{bus};
    sample.name = textFrom(json, "name");
    sample.setHealth(textFrom(json, "health"));
    forEachNumber(sample, [&](const char *key, auto &number) {
        using Number = typename std::remove_reference_t<decltype(number)>::value_type;
        number = numberFrom<Number>(json, key);
    });
    if (const QString link = textFrom(json, "link");
        link == QLatin1String("up") || link == QLatin1String("down"))
        sample.isLinkUp = link == QLatin1String("up");
    const auto invented = json.find("invented");
    sample.isInvented = invented != json.end() && invented->is_boolean() && invented->get<bool>();
    if (const auto codes = json.find("error_codes"); codes != json.end() && codes->is_array()) {
        sample.errorCodes.emplace();
        for (const nlohmann::json &code : *codes) {
            if (code.is_string())
                *sample.errorCodes << code.get<QString>().toUInt(nullptr, 16);
        }
    }
    if (const auto processes = json.find("processes"); processes != json.end() && processes->is_array()) {
        sample.processes.emplace();
        for (const nlohmann::json &process : *processes) {
            if (process.is_object())
                *sample.processes << processFrom(process);
        }
    }
    return sample;
}

} // namespace rankdeck
