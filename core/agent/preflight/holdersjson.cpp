// The JSON of Holders, both ways.

#include "agent/preflight/holders.h"

#include "base/json.h"

namespace rankdeck
{

using Json = nlohmann::json;

constexpr char holdersKey[] = "holders";

QByteArray Holders::toLine() const
{
    Json json{{"list", Json::array()}};
    for (const Holder &holder : list)
        json["list"].push_back(Json{{"run", holder.run},
                                    {"launched_from", holder.launchedFrom},
                                    {"lost", holder.isLost},
                                    {"who", holder.who},
                                    {"devices", holder.devices},
                                    {"port", holder.port},
                                    {"needed_mb", holder.neededMb},
                                    {"free_mb", holder.freeMb}});
    if (npuProblem)
        json["problem"] = *npuProblem;
    return jsonText({{holdersKey, std::move(json)}});
}

std::optional<Holders> Holders::fromLine(const QByteArray &line)
{
    return messageIn<Holders>(line, holdersKey, [](const Json &said) {
        Holders holders;
        // Where it is on the node is the node's business: nothing from there becomes a path here.
        for (const Json &entry : said.at("list")) {
            Holder &holder = holders.list.emplace_back();
            entry.at("run").get_to(holder.run);
            entry.at("launched_from").get_to(holder.launchedFrom);
            entry.at("lost").get_to(holder.isLost);
            entry.at("who").get_to(holder.who);
            entry.at("devices").get_to(holder.devices);
            entry.at("port").get_to(holder.port);
            holder.neededMb = entry.value("needed_mb", 0);
            holder.freeMb = entry.value("free_mb", 0);
        }
        if (said.contains("problem"))
            holders.npuProblem = said["problem"].get<Error>();
        return holders;
    });
}

} // namespace rankdeck
