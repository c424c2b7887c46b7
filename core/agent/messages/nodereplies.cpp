#include "agent/messages/nodereplies.h"

#include "base/fields.h"

namespace rankdeck
{

constexpr char keyOfLine[] = "description";
constexpr char checkKey[] = "check";
constexpr char endKey[] = "checked";
constexpr char rankKey[] = "rank_line";
constexpr char factsKey[] = "facts";
constexpr char preparedKey[] = "prepared";

static void visitFields(Fields &fields, NodeDescription &description)
{
    fields("version", description.version);
    fields.newer("program", description.program);
    fields("host", description.hostName);
    fields("architecture", description.architecture);
    fields("npus", description.npuCount);
    fields("directory", description.directory);
    fields("free_bytes", description.freeBytes);
    fields("wall_us", description.wallUs);
}

static void visitFields(Fields &fields, NodeCheckEnd &end)
{
    fields("addresses", end.addresses);
    fields.entries("tls", end.tls, "device", "on");
}

static void visitFields(Fields &fields, RankLine &said)
{
    std::optional<QString> how;
    std::optional<QByteArray> line;
    if (!fields.isReading() && said.hasEnded)
        how = said.how;
    if (!fields.isReading() && !said.hasEnded)
        line = said.line;
    fields("rank", said.rank);
    fields.optional("ended", how);
    fields.optional("line", line);
    if (!fields.isReading())
        return;
    if (!how && !line)
        fields.reject("line");
    said.hasEnded = how.has_value();
    said.how = how.value_or(QString());
    said.line = said.hasEnded ? QByteArray() : line.value_or(QByteArray());
}

static void visitFields(Fields &fields, PreparedNode &prepared)
{
    fields("answers", prepared.answers);
    fields.optional("problem", prepared.problem);
    fields("files", prepared.files);
    if (std::ranges::any_of(prepared.files,
                            [](const QStringList &each) { return each.size() != writtenFileCount; }))
        fields.reject("files");
}

QByteArray NodeDescription::toLine() const
{
    return keyedLine(keyOfLine, *this);
}

std::optional<NodeDescription> NodeDescription::fromLine(const QByteArray &line)
{
    return fromKeyedLine<NodeDescription>(keyOfLine, line);
}

qint64 wallClockUs()
{
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

QByteArray NodeAnswer::toLine() const
{
    return check ? keyedLine(checkKey, *check) : keyedLine(endKey, *end);
}

std::optional<NodeAnswer> NodeAnswer::fromLine(const QByteArray &line)
{
    if (auto check = fromKeyedLine<PreflightCheck>(checkKey, line))
        return NodeAnswer{std::move(check), {}};
    auto end = fromKeyedLine<NodeCheckEnd>(endKey, line);
    return end ? std::optional(NodeAnswer{{}, std::move(end)}) : std::nullopt;
}

QByteArray RankLine::toLine() const
{
    return keyedLine(rankKey, *this);
}

std::optional<RankLine> RankLine::fromLine(const QByteArray &line)
{
    static const QByteArray beginning = QByteArray("{\"") + rankKey + '"';
    return line.startsWith(beginning) ? fromKeyedLine<RankLine>(rankKey, line) : std::nullopt;
}

QByteArray GatheredFacts::toLine() const
{
    return keyedLine(factsKey, facts);
}

std::optional<GatheredFacts> GatheredFacts::fromLine(const QByteArray &line)
{
    auto facts = fromKeyedLine<HostFacts>(factsKey, line);
    return facts ? std::optional(GatheredFacts{std::move(*facts)}) : std::nullopt;
}

QByteArray PreparedNode::toLine() const
{
    return keyedLine(preparedKey, *this);
}

std::optional<PreparedNode> PreparedNode::fromLine(const QByteArray &line)
{
    return fromKeyedLine<PreparedNode>(preparedKey, line);
}

} // namespace rankdeck
