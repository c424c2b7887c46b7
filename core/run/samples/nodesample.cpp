#include "run/samples/nodesample.h"

#include "base/json.h"
#include "base/times.h"
#include "device/sample/devicejson.h"

#include <algorithm>

namespace rankdeck
{

using Json = nlohmann::json;

constexpr char sampleKey[] = "node_sample";
/// The beginning of every line, so that other lines are rejected without being parsed.
constexpr char beginning[] = "{\"node_sample\":";

static Json amountJson(const std::optional<double> &amount)
{
    return amount ? Json(*amount) : Json();
}

/// Returns nothing for null.
static std::optional<double> amountFrom(const Json &json)
{
    if (!json.is_number())
        return std::nullopt;
    const auto amount = json.get<double>();
    return std::isfinite(amount) && amount >= 0 ? std::optional(amount) : std::nullopt;
}

/// Returns -1 for what is not a whole number, or less.
static qint64 countFrom(const Json &json)
{
    return json.is_number_integer() ? std::max<qint64>(json.get<qint64>(), -1) : -1;
}

/// Returns -1 for what is not an index.
static int indexFrom(const Json &json)
{
    const qint64 number = countFrom(json);
    return number <= std::numeric_limits<int>::max() ? static_cast<int>(number) : -1;
}

static Json usersJson(const QList<QList<DeviceUser>> &users)
{
    Json json = Json::array();
    for (const QList<DeviceUser> &ofChip : users) {
        Json list = Json::array();
        for (const DeviceUser &user : ofChip)
            list.push_back(toJson(user));
        json.push_back(std::move(list));
    }
    return json;
}

/// [process, processes, resident bytes, percent of a core, bytes read per second, written]
static Json loadJson(int process, const TreeLoad &load)
{
    return {process,
            load.processes,
            load.residentBytes,
            amountJson(load.cpuPercent),
            amountJson(load.readBytesPerSecond),
            amountJson(load.writtenBytesPerSecond)};
}

static void takeDevices(const Json &json, NodeSample &sample)
{
    sample.devices = deviceReadingFrom(json.at("devices"));
    const auto chips = sample.devices ? sample.devices->samples.size() : 0;
    for (const Json &ofChip : json.value("users", Json::array())) {
        QList<DeviceUser> users;
        for (const Json &each : ofChip) {
            if (const auto user = deviceUserFrom(each))
                users << *user;
        }
        sample.users << users;
    }
    if (sample.users.size() != chips)
        sample.users.clear();
    for (const Json &pair : json.value("chips", Json::array())) {
        const int process = indexFrom(pair.at(0));
        const int chip = indexFrom(pair.at(1));
        if (process >= 0 && chip >= 0 && chip < chips)
            sample.chips.insert(process, chip);
    }
}

static void takeLoad(const Json &json, NodeSample &sample)
{
    const int process = indexFrom(json.at(0));
    if (process < 0)
        return;
    TreeLoad load;
    load.processes = std::max(indexFrom(json.at(1)), 0);
    load.residentBytes = std::max<qint64>(countFrom(json.at(2)), 0);
    load.cpuPercent = amountFrom(json.at(3));
    load.readBytesPerSecond = amountFrom(json.at(4));
    load.writtenBytesPerSecond = amountFrom(json.at(5));
    sample.loads.insert(process, load);
}

/// [process, operation, group, sequence, is running]
static Json collectiveJson(int process, const LiveCollective &its)
{
    return {process, its.operation, its.group, its.sequence, its.isRunning};
}

static void takeCollective(const Json &json, NodeSample &sample)
{
    const int process = indexFrom(json.at(0));
    if (process < 0)
        return;
    sample.collectives.insert(process, {json.at(1).get<QString>(), json.at(2).get<QString>(),
                                        json.at(3).get<qint64>(), json.at(4).get<bool>()});
}

QByteArray NodeSample::toLine() const
{
    Json json{{"node", node}, {"time", time.toMSecsSinceEpoch()}};
    if (devices) {
        json["devices"] = toJson(*devices);
        if (!users.isEmpty())
            json["users"] = usersJson(users);
        Json pairs = Json::array();
        for (auto chip = chips.begin(); chip != chips.end(); ++chip)
            pairs.push_back(Json::array({chip.key(), chip.value()}));
        json["chips"] = std::move(pairs);
    }
    if (problem)
        json["problem"] = *problem;
    if (isAwaitingDevices)
        json["awaits_devices"] = true;
    Json trees = Json::array();
    for (auto load = loads.begin(); load != loads.end(); ++load)
        trees.push_back(loadJson(load.key(), load.value()));
    json["loads"] = std::move(trees);
    if (!collectives.isEmpty()) {
        Json list = Json::array();
        for (auto its = collectives.begin(); its != collectives.end(); ++its)
            list.push_back(collectiveJson(its.key(), its.value()));
        json["collectives"] = std::move(list);
    }
    return jsonText({{sampleKey, std::move(json)}});
}

std::optional<NodeSample> NodeSample::fromLine(const QByteArray &line)
{
    if (!line.startsWith(beginning) || line.size() > longestLine)
        return std::nullopt;
    return messageIn<NodeSample>(line, sampleKey, [](const Json &said) -> std::optional<NodeSample> {
        NodeSample sample;
        said.at("node").get_to(sample.node);
        const Json &when = said.at("time");
        if (!when.is_number_integer())
            return std::nullopt;
        sample.time = utcTime(when.get<qint64>());
        if (said.contains("devices"))
            takeDevices(said, sample);
        if (said.contains("problem"))
            sample.problem = said["problem"].get<Error>();
        sample.isAwaitingDevices = said.value("awaits_devices", false);
        for (const Json &load : said.at("loads"))
            takeLoad(load, sample);
        for (const Json &its : said.value("collectives", Json::array()))
            takeCollective(its, sample);
        return sample;
    });
}

} // namespace rankdeck
