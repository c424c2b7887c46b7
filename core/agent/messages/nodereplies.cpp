#include "agent/messages/nodereplies.h"

#include "base/json.h"
#include "launch/planning/attempt.h"

namespace rankdeck
{

using Json = nlohmann::json;

constexpr char keyOfLine[] = "description";
constexpr char checkKey[] = "check";
constexpr char endKey[] = "checked";
constexpr char rankKey[] = "rank_line";
constexpr char factsKey[] = "facts";
constexpr char preparedKey[] = "prepared";

QByteArray NodeDescription::toLine() const
{
    return jsonText({{keyOfLine, Json{{"version", version},
                                      {"program", program},
                                      {"host", hostName},
                                      {"architecture", architecture},
                                      {"npus", npuCount},
                                      {"directory", directory},
                                      {"free_bytes", freeBytes},
                                      {"wall_us", wallUs}}}});
}

std::optional<NodeDescription> NodeDescription::fromLine(const QByteArray &line)
{
    const auto json = parseJson(line);
    if (!json || !json->is_object() || !json->contains(keyOfLine))
        return std::nullopt;
    NodeDescription description;
    try {
        const Json &said = (*json)[keyOfLine];
        said.at("version").get_to(description.version);
        description.program = said.value("program", QString());
        said.at("host").get_to(description.hostName);
        said.at("architecture").get_to(description.architecture);
        said.at("npus").get_to(description.npuCount);
        said.at("directory").get_to(description.directory);
        said.at("free_bytes").get_to(description.freeBytes);
        said.at("wall_us").get_to(description.wallUs);
    } catch (const Json::exception &) {
        return std::nullopt;
    }
    return description;
}

qint64 wallClockUs()
{
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

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
