#include "agent/preflightreplies.h"

#include "json.h"

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

constexpr char checkKey[] = "check";
constexpr char endKey[] = "checked";
constexpr char rankKey[] = "rank_line";

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

} // namespace rankdeck
