#include "run/record/runevent.h"

#include "base/fields.h"
#include "base/json.h"
#include "base/numberranges.h"
#include "run/record/journalwords.h"

#include <algorithm>
#include <array>
#include <ctime>

namespace rankdeck
{

using Json = nlohmann::json;

/// In the order of RunEvent::Kind.
constexpr std::array kindWords{"note",
                               "planned",
                               "allocation",
                               "agent-started",
                               "link-lost",
                               "link-back",
                               "agent-lost",
                               "agent-ends",
                               "process-started",
                               "process-not-started",
                               "process-exited",
                               "stop-requested",
                               "process-stop-requested",
                               "process-added",
                               "rank-found",
                               "signal-sent",
                               "start-refused",
                               "process-held",
                               "process-released",
                               "tear-down",
                               "swept",
                               "hook-started",
                               "hook-exited",
                               "before-failed",
                               "node-done",
                               "failure-recorded",
                               "restart",
                               "stalled",
                               "stall-ended",
                               "stacks-dumped",
                               "recorders-dumped",
                               "collectives-read",
                               "device-alarm",
                               "device-well",
                               "at-prompt",
                               "prompt-left",
                               "finished"};
static_assert(kindWords.size() == static_cast<std::size_t>(RunEvent::Kind::Finished) + 1);

/// Whether the text of an event is a sentence for users; else it is a word, a command, or a plan.
static bool isSentence(RunEvent::Kind kind)
{
    using Kind = RunEvent::Kind;
    constexpr std::array others{Kind::Allocation,  Kind::ProcessAdded, Kind::RankFound,
                                Kind::ProcessHeld, Kind::HookExited,   Kind::Finished};
    return std::ranges::find(others, kind) == others.end();
}

static qint64 monotonicNow()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

/// Returns one entry for all processes that are silent since the same second: {"processes": "0-6,8", "since":
/// 1700000000000}.
static Json silencesJson(const QMap<int, qint64> &silences)
{
    QMap<qint64, QList<int>> byTime;
    for (auto it = silences.begin(); it != silences.end(); ++it)
        byTime[it.value()] << it.key();
    Json list = Json::array();
    for (auto it = byTime.begin(); it != byTime.end(); ++it)
        list.push_back({{"processes", numberRanges(it.value())}, {"since", it.key()}});
    return list;
}

/// Returns nothing if the list names more processes than a run can have. Throws Json::exception.
static QMap<int, qint64> silencesFrom(const Json &list)
{
    constexpr qsizetype most = 65536;
    QMap<int, qint64> silences;
    qsizetype count = 0;
    for (const Json &entry : list) {
        const auto since = entry.at("since").get<qint64>();
        const auto processes = numbersFromRanges(entry.at("processes").get<QString>());
        count += processes ? processes->size() : 0;
        if (!processes || count > most)
            return {};
        for (const int process : *processes)
            silences.insert(process, since);
    }
    return silences;
}

static Json promptJson(const RankPrompt &prompt)
{
    Json json{{"word", prompt.word}};
    if (!prompt.file.isEmpty()) {
        json["file"] = prompt.file;
        json["line"] = prompt.line;
    }
    if (!prompt.function.isEmpty())
        json["function"] = prompt.function;
    return json;
}

/// Throws Json::exception.
static RankPrompt promptFrom(const Json &json)
{
    RankPrompt prompt;
    json.at("word").get_to(prompt.word);
    prompt.file = json.value("file", QString());
    prompt.line = json.value("line", 0);
    prompt.function = json.value("function", QString());
    return prompt;
}

RunEvent RunEvent::now(Kind kind, const Sentence &text)
{
    RunEvent event;
    event.kind = kind;
    event.text = text;
    event.monotonicNs = monotonicNow();
    event.wall = QDateTime::currentDateTimeUtc();
    return event;
}

RunEvent RunEvent::ofProcess(Kind kind, int process, qint64 pid, const std::optional<ExitStatus> &status)
{
    RunEvent event = now(kind);
    event.process = process;
    event.pid = pid;
    event.status = status;
    return event;
}

QByteArray RunEvent::toLine() const
{
    Json json{{"event", kindWords.at(static_cast<std::size_t>(kind))},
              {"mono", monotonicNs},
              {"time", wall.toString(Qt::ISODateWithMs)}};
    if (process >= 0)
        json["process"] = process;
    if (attempt > 0)
        json["attempt"] = attempt;
    if (pid > 0)
        json["pid"] = pid;
    if (status)
        writeJson(json["status"], *status);
    if (!node.isEmpty())
        json["node"] = node;
    if (!text.isEmpty())
        json["text"] = text.english();
    if (!text.isEmpty() && isSentence(kind))
        writeJson(json["said"], text.isPlain() ? Sentence() : text);
    if (!silences.isEmpty())
        json["silences"] = silencesJson(silences);
    if (!stacks.isEmpty())
        json["stacks"] = stacks;
    if (!file.isEmpty())
        json["file"] = file;
    if (!logged.isEmpty())
        json["logged"] = logged;
    if (prompt)
        json["prompt"] = promptJson(*prompt);
    return jsonText(json);
}

std::optional<RunEvent> RunEvent::fromLine(const QByteArray &line)
{
    const auto json = parseJson(line);
    if (!json || !json->is_object())
        return std::nullopt;
    RunEvent event;
    try {
        const auto &word = json->at("event").get_ref<const std::string &>();
        const auto known = std::ranges::find(kindWords, word);
        if (known == kindWords.end())
            return std::nullopt;
        event.kind = static_cast<Kind>(known - kindWords.begin());
        json->at("mono").get_to(event.monotonicNs);
        event.wall = QDateTime::fromString(json->at("time").get<QString>(), Qt::ISODateWithMs);
        event.process = json->value("process", -1);
        event.attempt = json->value("attempt", 0);
        event.pid = json->value("pid", qint64(0));
        if (json->contains("status")) {
            event.status = readJson<ExitStatus>(json->at("status"));
            if (!event.status)
                return std::nullopt;
        }
        event.node = json->value("node", QString());
        event.text = Sentence(json->value("text", QString()));
        if (const auto said = json->contains("said") ? readJson<Sentence>(json->at("said")) : std::nullopt)
            event.text = said->isPlain() ? event.text : *said;
        else if (isSentence(event.kind))
            event.text = Sentence(journalWords(event.text));
        if (json->contains("silences"))
            event.silences = silencesFrom(json->at("silences"));
        event.stacks = json->value("stacks", QString());
        event.file = json->value("file", QString());
        event.logged = json->value("logged", QList<qint64>());
        if (json->contains("prompt"))
            event.prompt = promptFrom(json->at("prompt"));
    } catch (const Json::exception &) {
        return std::nullopt;
    }
    return event;
}

} // namespace rankdeck
