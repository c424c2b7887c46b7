#include "agent/messages/nodereplies.h"

#include "base/json.h"
#include "launch/plan/writtenfiles.h"

namespace rankdeck
{

using Json = nlohmann::json;

constexpr char keyOfLine[] = "description";
constexpr char checkKey[] = "check";
constexpr char endKey[] = "checked";
constexpr char rankKey[] = "rank_line";
constexpr char factsKey[] = "facts";
constexpr char preparedKey[] = "prepared";

/// Visits the fields of a description. Earlier versions do not send "program".
static void visit(auto &description, auto &&field)
{
    field("version", description.version);
    field("program", description.program);
    field("host", description.hostName);
    field("architecture", description.architecture);
    field("npus", description.npuCount);
    field("directory", description.directory);
    field("free_bytes", description.freeBytes);
    field("wall_us", description.wallUs);
}

QByteArray NodeDescription::toLine() const
{
    Json said;
    visit(*this, [&](const char *key, const auto &value) { said[key] = value; });
    return jsonText({{keyOfLine, std::move(said)}});
}

std::optional<NodeDescription> NodeDescription::fromLine(const QByteArray &line)
{
    return messageIn<NodeDescription>(line, keyOfLine, [](Json said) {
        NodeDescription description;
        said.emplace("program", QString());
        visit(description, [&](const char *key, auto &value) { said.at(key).get_to(value); });
        return description;
    });
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
    return messageIn<RankLine>(line, rankKey, [](const Json &inner) {
        RankLine said;
        inner.at("rank").get_to(said.rank);
        said.hasEnded = inner.contains("ended");
        if (said.hasEnded)
            inner.at("ended").get_to(said.how);
        else
            said.line = QByteArray::fromStdString(inner.at("line").get<std::string>());
        return said;
    });
}

QByteArray GatheredFacts::toLine() const
{
    return jsonText({{factsKey, toJson(facts)}});
}

std::optional<GatheredFacts> GatheredFacts::fromLine(const QByteArray &line)
{
    return messageIn<GatheredFacts>(line, factsKey, [](const Json &said) {
        const auto read = hostFactsFromJson(said);
        return read ? std::optional(GatheredFacts{*read}) : std::nullopt;
    });
}

QByteArray PreparedNode::toLine() const
{
    Json json{{"answers", answers}, {"files", files}};
    if (problem)
        json["problem"] = *problem;
    return jsonText({{preparedKey, std::move(json)}});
}

std::optional<PreparedNode> PreparedNode::fromLine(const QByteArray &line)
{
    return messageIn<PreparedNode>(line, preparedKey, [](const Json &said) {
        PreparedNode prepared;
        said.at("answers").get_to(prepared.answers);
        if (said.contains("problem"))
            prepared.problem = said["problem"].get<Error>();
        said.at("files").get_to(prepared.files);
        const bool isUsable = std::ranges::all_of(
            prepared.files, [](const QStringList &each) { return each.size() == writtenFileCount; });
        return isUsable ? std::optional(prepared) : std::nullopt;
    });
}

} // namespace rankdeck
