#include "agent/channel/agentprotocol.h"

#include "base/fields.h"
#include "base/json.h"

#include <QtEndian>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;
using Kind = AgentOrder::Kind;

/// How a numbered line begins.
constexpr char beginning[] = "{\"n\":";
constexpr qsizetype beginningSize = sizeof beginning - 1;

/// One field of an order in JSON, both ways.
struct Field {
    const char *key;
    void (*write)(const AgentOrder &order, Json &value);
    /// Returns false for an invalid value; may throw Json::exception too.
    bool (*read)(const Json &value, AgentOrder &order);
    bool isOptional = false;
};

template <auto member>
constexpr Field plain(const char *key, bool isOptional = false)
{
    return {key, [](const AgentOrder &order, Json &value) { value = order.*member; },
            [](const Json &value, AgentOrder &order) {
                value.get_to(order.*member);
                return true;
            },
            isOptional};
}

/// Stores what a reader returned, if it is a value.
bool assign(auto &member, const auto &value)
{
    if (value)
        member = *value;
    return bool(value);
}

constexpr Field specField{"spec", [](const AgentOrder &order, Json &value) { value = toJson(order.spec); },
                          [](const Json &value, AgentOrder &order) {
                              return assign(order.spec, launchSpecFromJson(value));
                          }};
constexpr Field planField{"plan",
                          [](const AgentOrder &order, Json &value) { value = toJson(CompactPlan{order.plan}); },
                          [](const Json &value, AgentOrder &order) {
                              return assign(order.plan, launchPlanFromJson(value));
                          }};
constexpr Field probesField{
    "probes",
    [](const AgentOrder &order, Json &value) {
        value = Json::array();
        for (const FolderProbe &probe : order.probes)
            value.push_back({{"folder", probe.folder}, {"name", probe.name}});
    },
    [](const Json &value, AgentOrder &order) {
        for (const Json &probe : value)
            order.probes << FolderProbe{probe.at("folder").get<QString>(), probe.at("name").get<QString>()};
        return true;
    }};
constexpr Field tableIpsField{"table_ips",
                              [](const AgentOrder &order, Json &value) {
                                  value = Json::array();
                                  for (auto it = order.tableIps.begin(); it != order.tableIps.end(); ++it)
                                      value.push_back({{"device", it.key()}, {"ip", it.value()}});
                              },
                              [](const Json &value, AgentOrder &order) {
                                  for (const Json &entry : value)
                                      order.tableIps.insert(entry.at("device").get<int>(),
                                                            entry.at("ip").get<QString>());
                                  return true;
                              }};
constexpr Field inputField{
    "input", [](const AgentOrder &order, Json &value) { value = order.input.toLine().toStdString(); },
    [](const Json &value, AgentOrder &order) {
        const auto text = QByteArray::fromStdString(value.get<std::string>());
        return assign(order.input, TerminalInput::fromLine(text));
    }};
constexpr Field rankLineField{
    "line", [](const AgentOrder &order, Json &value) { value = order.rankLine.toStdString(); },
    [](const Json &value, AgentOrder &order) {
        order.rankLine = QByteArray::fromStdString(value.get<std::string>());
        return true;
    }};
constexpr Field environmentField = plain<&AgentOrder::environment>("environment");
constexpr Field nodeField = plain<&AgentOrder::node>("node");
constexpr Field processesField = plain<&AgentOrder::processes>("processes");
constexpr Field ranksField = plain<&AgentOrder::ranks>("ranks");

struct Order {
    Kind kind;
    const char *word;
    std::vector<Field> fields = {};
};

/// All orders but the heartbeat.
const std::vector<Order> &orders()
{
    static const std::vector<Order> orders{
        {Kind::Describe, "describe"},
        {Kind::Gather,
         "gather",
         {specField, environmentField, plain<&AgentOrder::silenceSeconds>("silence"),
          plain<&AgentOrder::rejoinId>("rejoin_id")}},
        {Kind::Prepare,
         "prepare",
         {plain<&AgentOrder::runDirectory>("run_directory"), probesField,
          plain<&AgentOrder::head>("head", true), nodeField, planField}},
        {Kind::StartPrepared, "start-prepared", {plain<&AgentOrder::copiesLogs>("copies_logs")}},
        {Kind::FindHolders, "find-holders", {environmentField, nodeField, planField}},
        {Kind::EndHolders, "end-holders", {environmentField, nodeField, planField}},
        {Kind::Start, "start", {nodeField, planField}},
        {Kind::TearDown, "tear-down"},
        {Kind::Stop, "stop"},
        {Kind::Kill, "kill"},
        {Kind::ReadFiles, "read-files", {plain<&AgentOrder::files>("files")}},
        {Kind::StopProcesses, "stop-processes", {processesField}},
        {Kind::KillProcesses, "kill-processes", {processesField}},
        {Kind::StartProcesses, "start-processes", {processesField}},
        {Kind::DumpStacks,
         "dump-stacks",
         {processesField, plain<&AgentOrder::dumpSignal>("signal"),
          plain<&AgentOrder::isUrgent>("urgent", true)}},
        {Kind::DumpRecorders,
         "dump-recorders",
         {plain<&AgentOrder::seconds>("seconds"), plain<&AgentOrder::sendsDumps>("sends")}},
        {Kind::Signal, "signal", {processesField, plain<&AgentOrder::signalNumber>("signal")}},
        {Kind::AttachTool, "attach-tool", {processesField, planField}},
        {Kind::NameRank, "name-rank", {processesField, planField}},
        {Kind::Type, "type", {inputField}},
        {Kind::CheckNode,
         "check-node",
         {environmentField, planField, plain<&AgentOrder::imports>("imports"),
          plain<&AgentOrder::seconds>("seconds"), plain<&AgentOrder::language>("language", true),
          tableIpsField}},
        {Kind::StartSelfTest,
         "start-self-test",
         {ranksField, plain<&AgentOrder::worldSize>("world_size"),
          plain<&AgentOrder::arguments>("arguments")}},
        {Kind::Sample, "sample", {processesField, plain<&AgentOrder::intervalMs>("interval")}},
        {Kind::TellRank, "tell-rank", {ranksField, rankLineField}},
        {Kind::Rejoin, "rejoin", {plain<&AgentOrder::heard>("heard")}},
    };
    return orders;
}

/// Returns false if the values of the fields do not make an order.
bool isConsistent(const AgentOrder &order)
{
    const auto &processes = order.plan.processes;
    switch (order.kind) {
    case Kind::AttachTool:
        return order.processes.size() == 2 && processes.size() == 1 && !processes.front().argv.isEmpty();
    case Kind::NameRank:
        return order.processes.size() == 2 && processes.size() == 1 && order.processes.front() > 0;
    case Kind::Signal:
        return sendableSignals().contains(order.signalNumber);
    case Kind::Sample:
        return order.intervalMs >= 0 && order.processes.size() <= 1;
    case Kind::TellRank:
        return order.ranks.size() == 1;
    default:
        return true;
    }
}

} // namespace

QByteArray EventBacklog::add(const QByteArray &line)
{
    const qint64 number = m_acknowledged + static_cast<qint64>(m_lines.size()) + 1;
    m_lines.push_back(beginning + QByteArray::number(number) + ',' + line.mid(1));
    return m_lines.back();
}

void EventBacklog::acknowledge(qint64 number)
{
    if (number > m_acknowledged + static_cast<qint64>(m_lines.size()))
        return;
    for (; m_acknowledged < number; ++m_acknowledged)
        m_lines.pop_front();
}

std::optional<qint64> EventBacklog::numberIn(const QByteArray &line)
{
    const qsizetype end = line.indexOf(',');
    if (!line.startsWith(beginning) || end < 0)
        return std::nullopt;
    bool isNumber = false;
    const qint64 number = line.mid(beginningSize, end - beginningSize).toLongLong(&isNumber);
    return isNumber && number > 0 ? std::optional(number) : std::nullopt;
}

QByteArray AgentOrder::toLine() const
{
    const auto entry = std::ranges::find(orders(), kind, &Order::kind);
    if (entry == orders().end())
        return heard == 0 ? QByteArray(heartbeatLine) : jsonText({{"heard", heard}});
    Json json{{"do", entry->word}};
    for (const Field &field : entry->fields)
        field.write(*this, json[field.key]);
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
    const auto entry =
        std::ranges::find_if(orders(), [&](const Order &known) { return *word == known.word; });
    if (entry == orders().end())
        return std::nullopt;
    order.kind = entry->kind;
    try {
        for (const Field &field : entry->fields) {
            const bool isMissing = field.isOptional && !json->contains(field.key);
            if (!isMissing && !field.read(json->at(field.key), order))
                return std::nullopt;
        }
    } catch (const Json::exception &) {
        return std::nullopt;
    }
    return isConsistent(order) ? std::optional(order) : std::nullopt;
}

constexpr char keyOfLine[] = "clock_ns";

static qint64 nowNs()
{
    return RunEvent::now(RunEvent::Kind::Note).monotonicNs;
}

QByteArray ClockOffset::lineOfThisNode()
{
    return jsonText({{keyOfLine, nowNs()}});
}

bool ClockOffset::note(const QByteArray &line)
{
    const auto json = parseJson(line);
    if (!json || !json->is_object() || !json->contains(keyOfLine) || !(*json)[keyOfLine].is_number_integer())
        return false;
    const auto sent = static_cast<quint64>((*json)[keyOfLine].get<qint64>());
    const auto difference = static_cast<qint64>(static_cast<quint64>(nowNs()) - sent);
    m_offsetNs = m_offsetNs ? std::min(*m_offsetNs, difference) : difference;
    return true;
}

RunEvent ClockOffset::mapped(RunEvent event) const
{
    if (!m_offsetNs)
        return event;
    const RunEvent now = RunEvent::now(event.kind);
    // A node may tell any number; what has happened is not later than now.
    const auto there = static_cast<quint64>(event.monotonicNs) + static_cast<quint64>(*m_offsetNs);
    event.monotonicNs = std::clamp(static_cast<qint64>(there), qint64(0), now.monotonicNs);
    event.wall = now.wall.addMSecs((event.monotonicNs - now.monotonicNs) / 1'000'000);
    return event;
}

QByteArray DumpPiece::toBytes() const
{
    Q_ASSERT(bytes.size() <= mostBytes);
    return name.toLatin1() + (isFirst ? '\n' : '+') + bytes;
}

std::optional<DumpPiece> DumpPiece::fromBytes(QByteArrayView text)
{
    const auto isOfName = [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || letter == '_' || letter == '-' || letter == '.';
    };
    constexpr qsizetype longestName = 200;
    const auto end = std::ranges::find_if_not(text, isOfName);
    const qsizetype size = end - text.begin();
    const bool isName = size > 0 && size <= longestName && text.front() != '.' && end != text.end();
    if (!isName || (*end != '\n' && *end != '+') || text.size() - size - 1 > mostBytes)
        return std::nullopt;
    return DumpPiece{QString::fromLatin1(text.first(size)), *end == '\n',
                     text.sliced(size + 1).toByteArray()};
}

constexpr char frameMark[] = {'\0', 'F'};
constexpr qsizetype channelAt = 2;
constexpr qsizetype sizeAt = 4;
constexpr qsizetype headerBytes = 8;

QByteArray framed(quint16 channel, QByteArrayView bytes)
{
    Q_ASSERT(bytes.size() <= mostFrameBytes);
    QByteArray frame(headerBytes, Qt::Uninitialized);
    frame.reserve(headerBytes + bytes.size());
    std::copy_n(frameMark, sizeof frameMark, frame.data());
    qToLittleEndian(channel, frame.data() + channelAt);
    qToLittleEndian(static_cast<quint32>(bytes.size()), frame.data() + sizeAt);
    return frame.append(bytes);
}

FrameDecoder::FrameDecoder(qsizetype longestLine)
    : m_longestLine(longestLine)
{
}

void FrameDecoder::add(QByteArrayView bytes)
{
    if (m_isUnusable)
        return;
    // Not at each take: what is left would be moved again and again.
    m_bytes.remove(0, m_taken);
    m_taken = 0;
    m_bytes.append(bytes);
}

std::optional<FrameDecoder::Item> FrameDecoder::take()
{
    const QByteArrayView rest = QByteArrayView(m_bytes).sliced(m_taken);
    if (rest.isEmpty())
        return std::nullopt;
    return rest[0] == frameMark[0] ? takeFrame(rest) : takeLine(rest);
}

std::optional<FrameDecoder::Item> FrameDecoder::takeFrame(QByteArrayView rest)
{
    if (rest.size() > 1 && rest[1] != frameMark[1]) {
        giveUp();
        return std::nullopt;
    }
    if (rest.size() < headerBytes)
        return std::nullopt;
    const auto size = static_cast<qsizetype>(qFromLittleEndian<quint32>(rest.data() + sizeAt));
    if (size > mostFrameBytes) {
        giveUp();
        return std::nullopt;
    }
    if (rest.size() < headerBytes + size)
        return std::nullopt;
    m_taken += headerBytes + size;
    return Frame{qFromLittleEndian<quint16>(rest.data() + channelAt),
                 rest.sliced(headerBytes, size).toByteArray()};
}

std::optional<FrameDecoder::Item> FrameDecoder::takeLine(QByteArrayView rest)
{
    const qsizetype end = rest.indexOf('\n', m_searched);
    const qsizetype length = end < 0 ? rest.size() : end;
    if (length > m_longestLine) {
        giveUp();
        return std::nullopt;
    }
    if (end < 0) {
        m_searched = length;
        return std::nullopt;
    }
    m_searched = 0;
    m_taken += end + 1;
    return rest.first(end).toByteArray();
}

void FrameDecoder::giveUp()
{
    m_isUnusable = true;
    m_bytes.clear();
    m_taken = 0;
    m_searched = 0;
}

} // namespace rankdeck
