#include "agent/channel/agentprotocol.h"

#include "json.h"
#include "run/signalrequest.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rankdeck
{

namespace
{

using Kind = AgentOrder::Kind;

/// Those that have no more to say than their word too.
constexpr std::array words{
    std::pair(Kind::Describe, "describe"),
    std::pair(Kind::Gather, "gather"),
    std::pair(Kind::Prepare, "prepare"),
    std::pair(Kind::StartPrepared, "start-prepared"),
    std::pair(Kind::FindHolders, "find-holders"),
    std::pair(Kind::EndHolders, "end-holders"),
    std::pair(Kind::Start, "start"),
    std::pair(Kind::TearDown, "tear-down"),
    std::pair(Kind::Stop, "stop"),
    std::pair(Kind::Kill, "kill"),
    std::pair(Kind::ReadFiles, "read-files"),
    std::pair(Kind::StopProcesses, "stop-processes"),
    std::pair(Kind::KillProcesses, "kill-processes"),
    std::pair(Kind::DumpStacks, "dump-stacks"),
    std::pair(Kind::Signal, "signal"),
    std::pair(Kind::AttachTool, "attach-tool"),
    std::pair(Kind::Type, "type"),
    std::pair(Kind::CheckNode, "check-node"),
    std::pair(Kind::StartSelfTest, "start-self-test"),
    std::pair(Kind::Sample, "sample"),
    std::pair(Kind::TellRank, "tell-rank"),
    std::pair(Kind::Rejoin, "rejoin"),
};

} // namespace

QByteArray AgentOrder::toLine() const
{
    const auto entry =
        std::find_if(words.begin(), words.end(), [&](const auto &known) { return known.first == kind; });
    if (entry == words.end())
        return heard == 0 ? QByteArray(heartbeatLine) : jsonText({{"heard", heard}});
    nlohmann::json json{{"do", entry->second}};
    switch (kind) {
    case Kind::Gather:
        json["spec"] = toJson(spec);
        json["environment"] = environment;
        json["silence"] = silenceSeconds;
        json["rejoin_id"] = rejoinId;
        break;
    case Kind::Prepare:
    case Kind::FindHolders:
    case Kind::EndHolders:
    case Kind::Start:
        if (kind == Kind::Prepare) {
            json["run_directory"] = runDirectory;
            json["probes"] = nlohmann::json::array();
            for (const FolderProbe &probe : probes)
                json["probes"].push_back({{"folder", probe.folder}, {"name", probe.name}});
            json["head"] = head;
        } else if (kind != Kind::Start) {
            json["environment"] = environment;
        }
        json["node"] = node;
        json["plan"] = toCompactJson(plan);
        break;
    case Kind::StartPrepared:
        json["copies_logs"] = copiesLogs;
        break;
    case Kind::ReadFiles:
        json["files"] = files;
        break;
    case Kind::StopProcesses:
    case Kind::KillProcesses:
        json["processes"] = processes;
        break;
    case Kind::DumpStacks:
        json["processes"] = processes;
        json["signal"] = dumpSignal;
        break;
    case Kind::AttachTool:
        json["processes"] = processes;
        json["plan"] = toCompactJson(plan);
        break;
    case Kind::Signal:
        json["processes"] = processes;
        json["signal"] = signalNumber;
        break;
    case Kind::Type:
        json["input"] = input.toLine().toStdString();
        break;
    case Kind::CheckNode: {
        json["environment"] = environment;
        json["plan"] = toCompactJson(plan);
        json["imports"] = imports;
        json["seconds"] = seconds;
        json["table_ips"] = nlohmann::json::array();
        for (auto it = tableIps.begin(); it != tableIps.end(); ++it)
            json["table_ips"].push_back({{"device", it.key()}, {"ip", it.value()}});
        break;
    }
    case Kind::StartSelfTest:
        json["ranks"] = ranks;
        json["world_size"] = worldSize;
        json["arguments"] = arguments;
        break;
    case Kind::Sample:
        json["processes"] = processes;
        json["interval"] = intervalMs;
        break;
    case Kind::TellRank:
        json["ranks"] = ranks;
        json["line"] = rankLine.toStdString();
        break;
    case Kind::Rejoin:
        json["heard"] = heard;
        break;
    default:
        break;
    }
    return jsonText(json);
}

std::optional<AgentOrder> AgentOrder::fromLine(const QByteArray &line)
{
    const auto json = parseJson(line);
    if (!json || !json->is_object())
        return std::nullopt;
    AgentOrder order;
    const auto word = json->find("do");
    if (word == json->end()) {
        const auto heard = json->find("heard");
        if (heard != json->end() && heard->is_number_integer())
            order.heard = heard->get<qint64>();
        return order;
    }
    const auto known =
        std::find_if(words.begin(), words.end(), [&](const auto &entry) { return *word == entry.second; });
    if (known == words.end())
        return std::nullopt;
    order.kind = known->first;
    try {
        switch (order.kind) {
        case Kind::Gather: {
            const auto spec = launchSpecFromJson(json->at("spec"));
            if (!spec)
                return std::nullopt;
            order.spec = *spec;
            json->at("environment").get_to(order.environment);
            json->at("silence").get_to(order.silenceSeconds);
            json->at("rejoin_id").get_to(order.rejoinId);
            break;
        }
        case Kind::Prepare:
        case Kind::FindHolders:
        case Kind::EndHolders:
        case Kind::Start: {
            if (order.kind == Kind::Prepare) {
                json->at("run_directory").get_to(order.runDirectory);
                for (const nlohmann::json &probe : json->at("probes"))
                    order.probes << FolderProbe{probe.at("folder").get<QString>(),
                                                probe.at("name").get<QString>()};
                order.head = json->value("head", QString());
            } else if (order.kind != Kind::Start) {
                json->at("environment").get_to(order.environment);
            }
            json->at("node").get_to(order.node);
            const auto plan = launchPlanFromJson(json->at("plan"));
            if (!plan)
                return std::nullopt;
            order.plan = *plan;
            break;
        }
        case Kind::StartPrepared:
            json->at("copies_logs").get_to(order.copiesLogs);
            break;
        case Kind::ReadFiles:
            json->at("files").get_to(order.files);
            break;
        case Kind::StopProcesses:
        case Kind::KillProcesses:
            json->at("processes").get_to(order.processes);
            break;
        case Kind::DumpStacks:
            json->at("processes").get_to(order.processes);
            json->at("signal").get_to(order.dumpSignal);
            break;
        case Kind::AttachTool: {
            json->at("processes").get_to(order.processes);
            const auto plan = launchPlanFromJson(json->at("plan"));
            const bool isOne = plan && plan->processes.size() == 1 && !plan->processes.front().argv.isEmpty();
            if (order.processes.size() != 2 || !isOne)
                return std::nullopt;
            order.plan = *plan;
            break;
        }
        case Kind::Signal:
            json->at("processes").get_to(order.processes);
            json->at("signal").get_to(order.signalNumber);
            if (!sendableSignals().contains(order.signalNumber))
                return std::nullopt;
            break;
        case Kind::Type: {
            const auto input =
                TerminalInput::fromLine(QByteArray::fromStdString(json->at("input").get<std::string>()));
            if (!input)
                return std::nullopt;
            order.input = *input;
            break;
        }
        case Kind::CheckNode: {
            json->at("environment").get_to(order.environment);
            json->at("imports").get_to(order.imports);
            json->at("seconds").get_to(order.seconds);
            for (const nlohmann::json &entry : json->at("table_ips"))
                order.tableIps.insert(entry.at("device").get<int>(), entry.at("ip").get<QString>());
            const auto plan = launchPlanFromJson(json->at("plan"));
            if (!plan)
                return std::nullopt;
            order.plan = *plan;
            break;
        }
        case Kind::StartSelfTest:
            json->at("ranks").get_to(order.ranks);
            json->at("world_size").get_to(order.worldSize);
            json->at("arguments").get_to(order.arguments);
            break;
        case Kind::Sample:
            json->at("processes").get_to(order.processes);
            json->at("interval").get_to(order.intervalMs);
            if (order.intervalMs < 0 || order.processes.size() > 1)
                return std::nullopt;
            break;
        case Kind::TellRank:
            json->at("ranks").get_to(order.ranks);
            order.rankLine = QByteArray::fromStdString(json->at("line").get<std::string>());
            if (order.ranks.size() != 1)
                return std::nullopt;
            break;
        case Kind::Rejoin:
            json->at("heard").get_to(order.heard);
            break;
        default:
            break;
        }
    } catch (const nlohmann::json::exception &) {
        return std::nullopt;
    }
    return order;
}

} // namespace rankdeck
