#include "run/runevent.h"

#include "numberranges.h"
#include "run/runjson.h"
#include "run/stoprequest.h"

#include <array>
#include <ctime>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

struct KindWord {
    RunEvent::Kind kind;
    const char *word;
};

constexpr std::array kindWords{
    KindWord{RunEvent::Kind::Note, "note"},
    KindWord{RunEvent::Kind::Planned, "planned"},
    KindWord{RunEvent::Kind::Allocation, "allocation"},
    KindWord{RunEvent::Kind::AgentStarted, "agent-started"},
    KindWord{RunEvent::Kind::LinkLost, "link-lost"},
    KindWord{RunEvent::Kind::LinkBack, "link-back"},
    KindWord{RunEvent::Kind::AgentLost, "agent-lost"},
    KindWord{RunEvent::Kind::ProcessStarted, "process-started"},
    KindWord{RunEvent::Kind::ProcessNotStarted, "process-not-started"},
    KindWord{RunEvent::Kind::ProcessExited, "process-exited"},
    KindWord{RunEvent::Kind::StopRequested, "stop-requested"},
    KindWord{RunEvent::Kind::ProcessStopRequested, "process-stop-requested"},
    KindWord{RunEvent::Kind::ProcessAdded, "process-added"},
    KindWord{RunEvent::Kind::SignalSent, "signal-sent"},
    KindWord{RunEvent::Kind::ProcessHeld, "process-held"},
    KindWord{RunEvent::Kind::ProcessReleased, "process-released"},
    KindWord{RunEvent::Kind::TearDown, "tear-down"},
    KindWord{RunEvent::Kind::Swept, "swept"},
    KindWord{RunEvent::Kind::HookStarted, "hook-started"},
    KindWord{RunEvent::Kind::HookExited, "hook-exited"},
    KindWord{RunEvent::Kind::BeforeFailed, "before-failed"},
    KindWord{RunEvent::Kind::NodeDone, "node-done"},
    KindWord{RunEvent::Kind::FailureRecorded, "failure-recorded"},
    KindWord{RunEvent::Kind::Restart, "restart"},
    KindWord{RunEvent::Kind::Stalled, "stalled"},
    KindWord{RunEvent::Kind::StallEnded, "stall-ended"},
    KindWord{RunEvent::Kind::StacksDumped, "stacks-dumped"},
    KindWord{RunEvent::Kind::DeviceAlarm, "device-alarm"},
    KindWord{RunEvent::Kind::DeviceWell, "device-well"},
    KindWord{RunEvent::Kind::AtPrompt, "at-prompt"},
    KindWord{RunEvent::Kind::PromptLeft, "prompt-left"},
    KindWord{RunEvent::Kind::Finished, "finished"},
};

qint64 monotonicNow()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

/// One entry for all that are silent since the same second: {"processes": "0-6,8", "since": 1700000000000}.
Json silencesJson(const QMap<int, qint64> &silences)
{
    QMap<qint64, QList<int>> byTime;
    for (auto it = silences.begin(); it != silences.end(); ++it)
        byTime[it.value()] << it.key();
    Json list = Json::array();
    for (auto it = byTime.begin(); it != byTime.end(); ++it)
        list.push_back({{"processes", numberRanges(it.value())}, {"since", it.key()}});
    return list;
}

/// Of more processes than a run can have nothing is taken. Throws Json::exception.
QMap<int, qint64> silencesFrom(const Json &list)
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

Json promptJson(const RankPrompt &prompt)
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
RankPrompt promptFrom(const Json &json)
{
    RankPrompt prompt;
    json.at("word").get_to(prompt.word);
    prompt.file = json.value("file", QString());
    prompt.line = json.value("line", 0);
    prompt.function = json.value("function", QString());
    return prompt;
}

} // namespace

RunEvent RunEvent::now(Kind kind, const QString &text)
{
    RunEvent event;
    event.kind = kind;
    event.text = text;
    event.monotonicNs = monotonicNow();
    event.wall = QDateTime::currentDateTimeUtc();
    return event;
}

QByteArray RunEvent::toLine() const
{
    Json json{{"mono", monotonicNs}, {"time", wall.toString(Qt::ISODateWithMs)}};
    for (const KindWord &entry : kindWords) {
        if (entry.kind == kind)
            json["event"] = entry.word;
    }
    if (process >= 0)
        json["process"] = process;
    if (attempt > 0)
        json["attempt"] = attempt;
    if (pid > 0)
        json["pid"] = pid;
    if (status)
        json["status"] = *status;
    if (!node.isEmpty())
        json["node"] = node;
    if (!text.isEmpty())
        json["text"] = text;
    if (!silences.isEmpty())
        json["silences"] = silencesJson(silences);
    if (!stacks.isEmpty())
        json["stacks"] = stacks;
    if (!file.isEmpty())
        json["file"] = file;
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
        const auto entry = std::find_if(kindWords.begin(), kindWords.end(),
                                        [&](const KindWord &known) { return word == known.word; });
        if (entry == kindWords.end())
            return std::nullopt;
        event.kind = entry->kind;
        json->at("mono").get_to(event.monotonicNs);
        event.wall = QDateTime::fromString(json->at("time").get<QString>(), Qt::ISODateWithMs);
        event.process = json->value("process", -1);
        event.attempt = json->value("attempt", 0);
        event.pid = json->value("pid", qint64(0));
        if (json->contains("status"))
            event.status = json->at("status").get<ExitStatus>();
        event.node = json->value("node", QString());
        event.text = json->value("text", QString());
        if (json->contains("silences"))
            event.silences = silencesFrom(json->at("silences"));
        event.stacks = json->value("stacks", QString());
        event.file = json->value("file", QString());
        if (json->contains("prompt"))
            event.prompt = promptFrom(json->at("prompt"));
    } catch (const Json::exception &) {
        return std::nullopt;
    }
    return event;
}

} // namespace rankdeck
