#include "agent/messages/nodereplies.h"

#include "base/json.h"
#include "launch/planning/attempt.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

constexpr char checkKey[] = "check";
constexpr char endKey[] = "checked";
constexpr char rankKey[] = "rank_line";
constexpr char factsKey[] = "facts";
constexpr char preparedKey[] = "prepared";

} // namespace

QByteArray NodeAnswer::toLine() const
{
    if (check)
        return jsonText({{checkKey, toJson(*check)}});
    Json tls = Json::array();
    for (auto it = end->tls.begin(); it != end->tls.end(); ++it)
        tls.push_back({{"device", it.key()}, {"on", it.value()}});
    return jsonText({{endKey, {{"addresses", end->addresses}, {"tls", std::move(tls)}}}});
}

std::optional<NodeAnswer> NodeAnswer::fromLine(const QByteArray &line)
{
    const auto json = parseJson(line);
    if (!json || !json->is_object())
        return std::nullopt;
    if (const auto said = json->find(checkKey); said != json->end()) {
        auto check = preflightCheckFromJson(*said);
        return check ? std::optional(NodeAnswer{std::move(check), {}}) : std::nullopt;
    }
    const auto said = json->find(endKey);
    if (said == json->end())
        return std::nullopt;
    NodeCheckEnd end;
    try {
        said->at("addresses").get_to(end.addresses);
        for (const Json &entry : said->at("tls"))
            end.tls.insert(entry.at("device").get<int>(), entry.at("on").get<QString>());
    } catch (const Json::exception &) {
        return std::nullopt;
    }
    return NodeAnswer{{}, std::move(end)};
}

QByteArray RankLine::toLine() const
{
    Json said{{"rank", rank}};
    if (hasEnded)
        said["ended"] = how;
    else
        said["line"] = line.toStdString();
    return jsonText({{rankKey, std::move(said)}});
}

std::optional<RankLine> RankLine::fromLine(const QByteArray &line)
{
    static const QByteArray beginning = QByteArray("{\"") + rankKey + '"';
    if (!line.startsWith(beginning))
        return std::nullopt;
    const auto json = parseJson(line);
    if (!json)
        return std::nullopt;
    RankLine said;
    try {
        const Json &inner = json->at(rankKey);
        inner.at("rank").get_to(said.rank);
        said.hasEnded = inner.contains("ended");
        if (said.hasEnded)
            inner.at("ended").get_to(said.how);
        else
            said.line = QByteArray::fromStdString(inner.at("line").get<std::string>());
    } catch (const Json::exception &) {
        return std::nullopt;
    }
    return said;
}

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
