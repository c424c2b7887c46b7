#pragma once

// How the run's small values stand in JSON, in run.json and in the journal alike. For source files only.

#include "base/json.h"
#include "launch/plan/processplan.h"
#include "run/process/exitstatus.h"
#include "run/process/processtree.h"

#include <nlohmann/json_fwd.hpp>

namespace rankdeck
{

struct Failure;

inline void to_json(nlohmann::json &json, const ExitStatus &status)
{
    switch (status.kind) {
    case ExitStatus::Kind::Exited:
        json = {{"exit", status.number}};
        break;
    case ExitStatus::Kind::Signalled:
        json = {{"signal", status.number}};
        break;
    case ExitStatus::Kind::NotStarted:
        json = {{"errno", status.number}};
        break;
    case ExitStatus::Kind::Unknown:
        json = {{"unknown", true}};
        break;
    }
    if (!status.outOfMemory.isEmpty())
        json["out_of_memory"] = status.outOfMemory;
    if (status.requestedSignal > 0)
        json["requested_signal"] = status.requestedSignal;
}

inline void from_json(const nlohmann::json &json, ExitStatus &status)
{
    if (json.contains("signal"))
        status = {ExitStatus::Kind::Signalled, json["signal"].get<int>()};
    else if (json.contains("errno"))
        status = {ExitStatus::Kind::NotStarted, json["errno"].get<int>()};
    else if (json.contains("unknown"))
        status = {ExitStatus::Kind::Unknown, 0};
    else
        status = {ExitStatus::Kind::Exited, json.at("exit").get<int>()};
    status.outOfMemory = json.value("out_of_memory", QString()).left(1000).simplified();
    status.requestedSignal = json.value("requested_signal", 0);
}

inline void to_json(nlohmann::json &json, const SupervisorId &supervisor)
{
    json = {{"host", supervisor.host}, {"pid", supervisor.pid}, {"start_time", supervisor.startTime}};
}

inline void from_json(const nlohmann::json &json, SupervisorId &supervisor)
{
    json.at("host").get_to(supervisor.host);
    json.at("pid").get_to(supervisor.pid);
    json.at("start_time").get_to(supervisor.startTime);
}

inline void to_json(nlohmann::json &json, const Failure &failure)
{
    json = {{"rank", failure.rank.value},  {"device", failure.device.value}, {"node", failure.node},
            {"pid", failure.pid},          {"status", failure.status},       {"reason", failure.reason},
            {"log_tail", failure.logTail}, {"log", failure.logFile}};
    if (failure.role != Role::Worker)
        json["role"] = roleWord(failure.role);
    if (!failure.traceback.isEmpty())
        json["traceback"] = failure.traceback;
}

inline void from_json(const nlohmann::json &json, Failure &failure)
{
    const std::string role = json.value("role", "");
    failure.role = role == "scheduler" ? Role::Scheduler : role == "console" ? Role::Console : Role::Worker;
    failure.rank = Rank(json.at("rank").get<int>());
    failure.device = DeviceId(json.at("device").get<int>());
    json.at("node").get_to(failure.node);
    json.at("pid").get_to(failure.pid);
    json.at("status").get_to(failure.status);
    json.at("reason").get_to(failure.reason);
    json.at("log_tail").get_to(failure.logTail);
    json.at("log").get_to(failure.logFile);
    failure.traceback = json.value("traceback", QStringList());
}

} // namespace rankdeck
