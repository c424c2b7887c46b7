#include "rankdeckctl/devices/rundevicesjson.h"

#include "base/json.h"
#include "base/times.h"
#include "device/sample/devicejson.h"
#include "rankdeckctl/console/output.h"

namespace rankdeck
{

static nlohmann::json processJson(const ProcessPlan &process)
{
    return {{"role", roleWord(process.role)},
            {"rank", process.role == Role::Worker ? nlohmann::json(process.rank.value) : nlohmann::json()}};
}

static nlohmann::json numberJson(const std::optional<double> &number)
{
    return number ? nlohmann::json(*number) : nlohmann::json();
}

static nlohmann::json loadJson(const TreeLoad &load)
{
    return {{"processes", load.processes},
            {"resident_bytes", load.residentBytes},
            {"cpu_percent", numberJson(load.cpuPercent)},
            {"read_bytes_per_second", numberJson(load.readBytesPerSecond)},
            {"written_bytes_per_second", numberJson(load.writtenBytesPerSecond)}};
}

static nlohmann::json userJson(const DeviceUser &user, const LaunchPlan &plan)
{
    nlohmann::json json = toJson(user);
    json.erase("owner");
    if (!user.isForeign() && user.owner < static_cast<int>(plan.processes.size()))
        json.update(processJson(plan.processes[static_cast<std::size_t>(user.owner)]));
    return json;
}

nlohmann::json toJson(const NodeSample &sample, const RunState &state)
{
    nlohmann::json json = nlohmann::json::object();
    if (sample.devices) {
        json = toJson(*sample.devices);
        json["devices_time"] = json["time"];
        for (qsizetype chip = 0; chip < sample.users.size(); ++chip) {
            nlohmann::json &users = json["devices"][static_cast<std::size_t>(chip)]["processes"];
            users = nlohmann::json::array();
            for (const DeviceUser &user : sample.users[chip])
                users.push_back(userJson(user, *state.plan));
        }
    }
    json["node"] = sample.node;
    json["time"] = jsonTime(sample.time);
    json["problem"] = sample.problem ? errorJson(*sample.problem) : nlohmann::json();
    json["processes"] = nlohmann::json::array();
    for (std::size_t index = 0; index < state.plan->processes.size(); ++index) {
        const int process = static_cast<int>(index);
        const auto chip = sample.chips.constFind(process);
        const auto load = sample.loads.constFind(process);
        const bool hasChip = chip != sample.chips.constEnd();
        const bool hasLoad = load != sample.loads.constEnd();
        if (!hasChip && !hasLoad)
            continue;
        nlohmann::json entry = processJson(state.plan->processes[index]);
        entry["device_index"] = hasChip ? nlohmann::json(*chip) : nlohmann::json();
        entry["load"] = hasLoad ? loadJson(*load) : nlohmann::json();
        json["processes"].push_back(std::move(entry));
    }
    return json;
}

} // namespace rankdeck
