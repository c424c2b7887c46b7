#include "agent/nodereplies.h"

#include "json.h"
#include "launch/writtenfiles.h"

#include <algorithm>

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
    Json json{{"answers", answers}, {"files", files}};
    if (problem)
        json["problem"] = Json{{"what", problem->what}, {"where", problem->where}, {"mend", problem->mend}};
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
        said.at("answers").get_to(prepared.answers);
        if (said.contains("problem")) {
            const Json &problem = said["problem"];
            prepared.problem = Error{problem.at("what").get<QString>(), problem.at("where").get<QString>(),
                                     problem.at("mend").get<QString>()};
        }
        said.at("files").get_to(prepared.files);
        if (!std::all_of(prepared.files.begin(), prepared.files.end(),
                         [](const QStringList &each) { return each.size() == writtenFileCount; }))
            return std::nullopt;
    } catch (const Json::exception &) {
        return std::nullopt;
    }
    return prepared;
}

} // namespace rankdeck
