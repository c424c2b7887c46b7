#include "agent/nodereplies.h"

#include "json.h"

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

constexpr char factsKey[] = "facts";
constexpr char preparedKey[] = "prepared";

} // namespace

QByteArray GatheredFacts::toLine() const
{
    return jsonText({{factsKey, toJson(facts)}});
}

std::optional<GatheredFacts> GatheredFacts::fromLine(const QByteArray &line)
{
    const auto json = parseJson(line);
    if (!json || !json->is_object() || !json->contains(factsKey))
        return std::nullopt;
    const auto facts = hostFactsFromJson((*json)[factsKey]);
    if (!facts)
        return std::nullopt;
    return GatheredFacts{*facts};
}

QByteArray PreparedNode::toLine() const
{
    Json json{{"sees_run_directory", seesRunDirectory}, {"logs", Json::array()}};
    if (problem)
        json["problem"] = Json{{"what", problem->what}, {"where", problem->where}, {"mend", problem->mend}};
    for (const Logs &entry : logs)
        json["logs"].push_back(Json{{"log", entry.logFile}, {"stderr", entry.stderrFile}});
    return jsonText({{preparedKey, std::move(json)}});
}

std::optional<PreparedNode> PreparedNode::fromLine(const QByteArray &line)
{
    const auto json = parseJson(line);
    if (!json || !json->is_object() || !json->contains(preparedKey))
        return std::nullopt;
    PreparedNode prepared;
    try {
        const Json &said = (*json)[preparedKey];
        said.at("sees_run_directory").get_to(prepared.seesRunDirectory);
        if (said.contains("problem")) {
            const Json &problem = said["problem"];
            prepared.problem = Error{problem.at("what").get<QString>(), problem.at("where").get<QString>(),
                                     problem.at("mend").get<QString>()};
        }
        for (const Json &entry : said.at("logs"))
            prepared.logs << Logs{entry.at("log").get<QString>(), entry.at("stderr").get<QString>()};
    } catch (const Json::exception &) {
        return std::nullopt;
    }
    return prepared;
}

} // namespace rankdeck
