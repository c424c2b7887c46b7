#include "run/record/runevent.h"

#include "base/fields.h"
#include "base/numberranges.h"
#include "run/record/journalwords.h"

#include <ctime>

namespace rankdeck
{

namespace
{

qint64 monotonicNow()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

/// All processes that are silent since the same second.
struct Silence {
    QString processes; ///< Ranges: "0-6,8".
    qint64 since = 0;

    bool operator==(const Silence &) const = default;
};

void visitFields(Fields &fields, Silence &silence)
{
    fields("processes", silence.processes);
    fields("since", silence.since);
}

std::vector<Silence> silencesBySecond(const QMap<int, qint64> &silences)
{
    QMap<qint64, QList<int>> byTime;
    for (auto it = silences.begin(); it != silences.end(); ++it)
        byTime[it.value()] << it.key();
    std::vector<Silence> list;
    for (auto it = byTime.begin(); it != byTime.end(); ++it)
        list.push_back({numberRanges(it.value()), it.key()});
    return list;
}

/// Returns nothing if the list names more processes than a run can have.
QMap<int, qint64> silencesFrom(const std::vector<Silence> &list)
{
    constexpr qsizetype most = 65536;
    QMap<int, qint64> silences;
    qsizetype count = 0;
    for (const auto &[ranges, since] : list) {
        const auto processes = numbersFromRanges(ranges);
        count += processes ? processes->size() : 0;
        if (!processes || count > most)
            return {};
        for (const int process : *processes)
            silences.insert(process, since);
    }
    return silences;
}

} // namespace

static void visitFields(Fields &fields, RankPrompt &prompt)
{
    fields("word", prompt.word);
    fields.optional("file", prompt.file);
    fields.optional("line", prompt.line);
    fields.optional("function", prompt.function);
}

namespace events
{

/// The words that an event has at "text" in place of a sentence.
template <typename Kind>
static void visitWords(Fields &fields, Kind &kind)
{
    if constexpr (requires { kind.job; })
        fields.optional("text", kind.job);
    if constexpr (requires { kind.plan; })
        fields.optional("text", kind.plan);
    if constexpr (requires { kind.command; })
        fields.optional("text", kind.command);
    if constexpr (requires { kind.rejoinId; }) {
        fields.optional("program", kind.program);
        fields.optional("rejoin", kind.rejoinId);
    }
    if constexpr (requires { kind.hold; }) {
        QString text = holdWord(kind.hold);
        fields.optional("text", text);
        if (fields.isReading())
            kind.hold = text == holdWord(Hold::Traced) ? Hold::Traced : Hold::Suspended;
    }
}

/// The fields of all kinds: a member has the same key wherever it stands.
template <typename Kind>
static void visitFields(Fields &fields, Kind &kind) requires requires
{
    Kind::word;
}
{
    if constexpr (requires { kind.process; })
        fields.optional("process", kind.process, -1);
    if constexpr (requires { kind.attempt; })
        fields.optional("attempt", kind.attempt);
    if constexpr (requires { kind.pid; })
        fields.optional("pid", kind.pid);
    if constexpr (requires { kind.status; })
        fields.optional("status", kind.status);
    if constexpr (requires { kind.text; })
        fields.said("said", kind.text, journalWords, [&](QString &text) { fields.optional("text", text); });
    if constexpr (requires { kind.silences; }) {
        std::vector<Silence> list = silencesBySecond(kind.silences);
        fields.optional("silences", list);
        if (fields.isReading())
            kind.silences = silencesFrom(list);
        fields.optional("named", kind.named);
    }
    if constexpr (requires { kind.stacks; })
        fields.optional("stacks", kind.stacks);
    if constexpr (requires { kind.file; })
        fields.optional("file", kind.file);
    if constexpr (requires { kind.logged; })
        fields.optional("logged", kind.logged);
    if constexpr (requires { kind.prompt; })
        fields.optional("prompt", kind.prompt);
    visitWords(fields, kind);
}

static void visitFields(Fields &fields, Finished &event)
{
    QString text = phaseWord(event.phase);
    std::optional<ExitStatus> status = ExitStatus{ExitStatus::Kind::Exited, event.exitCode};
    fields.optional("text", text);
    fields.optional("status", status);
    if (!fields.isReading())
        return;
    event.phase = phaseFromWord(text).value_or(RunPhase::Failed);
    event.exitCode = status ? status->number : 0;
}

} // namespace events

static void visitFields(Fields &fields, RunEvent &event)
{
    fields.oneOf("event", event.what);
    fields("mono", event.monotonicNs);
    fields("time", event.wall);
    fields.optional("node", event.node);
}

RunEvent RunEvent::now(AnyEvent what, const QString &node)
{
    return {std::move(what), node, monotonicNow(), QDateTime::currentDateTimeUtc()};
}

/// Returns what `member(kind)` returns; `none` for a kind without that member.
template <typename T>
static T memberOf(const AnyEvent &what, const T &none, const auto &member)
{
    return std::visit(
        [&](const auto &kind) -> T {
            if constexpr (requires { member(kind); })
                return member(kind);
            else
                return none;
        },
        what);
}

int RunEvent::process() const
{
    return memberOf(what, -1, [](const auto &kind) -> decltype(kind.process) { return kind.process; });
}

Sentence RunEvent::text() const
{
    return memberOf(what, Sentence(), [](const auto &kind) -> decltype(kind.text) { return kind.text; });
}

std::optional<ExitStatus> RunEvent::status() const
{
    return memberOf(what, std::optional<ExitStatus>(),
                    [](const auto &kind) -> decltype(kind.status) { return kind.status; });
}

void RunEvent::moveProcess(int by)
{
    std::visit(
        [by](auto &kind) {
            if constexpr (requires { kind.process; })
                kind.process += by;
        },
        what);
}

QByteArray RunEvent::toLine() const
{
    return jsonTextOf(*this);
}

std::optional<RunEvent> RunEvent::fromLine(const QByteArray &line)
{
    return fromJsonText<RunEvent>(line);
}

} // namespace rankdeck
