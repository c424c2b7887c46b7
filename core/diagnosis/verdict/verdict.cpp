#include "diagnosis/verdict/verdict.h"

#include "base/json.h"
#include "base/wordtable.h"
#include "diagnosis/verdict/verdicttext.h"
#include "launch/plan/launchplan.h"
#include "log/line/ansidecoder.h"
#include "run/record/journalwords.h"

namespace rankdeck
{

using Json = nlohmann::json;

constexpr std::array confidenceWords{"certain", "likely", "undecided"};

/// Texts of a verdict by their keys; null if empty.
constexpr std::array<std::pair<const char *, QString Verdict::*>, 7> verdictTexts{
    {{"node", &Verdict::node},
     {"causeId", &Verdict::causeId},
     {"cause", &Verdict::cause},
     {"ending", &Verdict::ending},
     {"rule", &Verdict::rule},
     {"reason", &Verdict::reason},
     {"advice", &Verdict::advice}}};

static Json orNull(const QString &text)
{
    return text.isEmpty() ? Json() : Json(text);
}

static Json ranksOf(const std::vector<Rank> &ranks)
{
    Json json = Json::array();
    for (const Rank rank : ranks)
        json.push_back(rank.value);
    return json;
}

static void to_json(Json &json, const Verdict::Evidence &evidence)
{
    json = {{"rank", evidence.role == Role::Worker ? Json(evidence.rank.value) : Json()},
            {"role", roleWord(evidence.role)},
            {"file", orNull(evidence.file)},
            {"line", evidence.line > 0 ? Json(evidence.line) : Json()},
            {"text", evidence.text},
            {"time", orNull(evidence.time)},
            {"entryId", orNull(evidence.entryId)}};
}

static void to_json(Json &json, const Verdict::Exit &each)
{
    json = {{"rank", each.role == Role::Worker ? Json(each.rank.value) : Json()},
            {"role", roleWord(each.role)},
            {"when", each.when.isValid() ? Json(each.when.toUTC().toString(Qt::ISODateWithMs)) : Json()},
            {"text", each.text}};
}

static void to_json(Json &json, const Verdict::Group &group)
{
    json = {{"ranks", ranksOf(group.ranks)}, {"text", group.text}, {"entryId", orNull(group.entryId)}};
}

static Json knownOf(const FailureExplanation &known)
{
    if (!known.isKnown())
        return {};
    return {{"id", known.id},
            {"title", known.title},
            {"meaning", known.meaning},
            {"mend", known.mend},
            {"commands", known.commands}};
}

static Json frameOf(const std::optional<PythonFrame> &frame)
{
    if (!frame)
        return {};
    return {{"file", frame->file}, {"line", frame->line}, {"function", frame->function}};
}

static QString pathFrom(const Json &json, const char *key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<QString>() : QString();
}

/// Reads a text as one plain line: a bundle may come from anyone.
static QString textFrom(const Json &json, const char *key)
{
    constexpr int most = 1000;
    return AnsiDecoder::plainText(pathFrom(json, key).left(most).toUtf8()).simplified();
}

/// Throws Json::exception if it is not a list.
static const Json::array_t &listAt(const Json &json, const char *key)
{
    return json.at(key).get_ref<const Json::array_t &>();
}

static std::vector<Rank> ranksAt(const Json &json, const char *key)
{
    std::vector<Rank> ranks;
    for (const Json &rank : listAt(json, key))
        ranks.emplace_back(rank.get<int>());
    return ranks;
}

/// Reads at most `most` texts.
static QStringList textsAt(const Json &json, const char *key, std::size_t most = 200)
{
    const Json::array_t &list = listAt(json, key);
    QStringList texts;
    for (std::size_t at = 0; at < std::min(list.size(), most); ++at)
        texts.push_back(list[at].get<QString>());
    return texts;
}

static std::optional<qint64> numberFrom(const Json &json, const char *key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? std::optional(found->get<qint64>()) : std::nullopt;
}

static int processOf(const LaunchPlan &plan, Role role, Rank rank)
{
    for (std::size_t index = 0; index < plan.processes.size(); ++index) {
        const ProcessPlan &process = plan.processes[index];
        if (process.role == role && (role != Role::Worker || process.rank == rank))
            return int(index);
    }
    return -1;
}

/// Reads role, rank and process from "rank" and "role".
template <typename Of>
static void readWho(Of &of, const Json &json, const LaunchPlan &plan)
{
    const QString role = textFrom(json, "role");
    for (const Role other : {Role::Scheduler, Role::Console}) {
        if (role == roleWord(other))
            of.role = other;
    }
    of.rank = json.at("rank").is_null() ? Rank(0) : Rank(json.at("rank").get<int>());
    of.process = processOf(plan, of.role, of.rank);
}

static Verdict::Evidence evidenceFrom(const Json &json, const LaunchPlan &plan)
{
    Verdict::Evidence evidence;
    readWho(evidence, json, plan);
    evidence.file = pathFrom(json, "file");
    evidence.line = json.at("line").is_null() ? 0 : json.at("line").get<qint64>();
    evidence.text = textFrom(json, "text");
    evidence.time = textFrom(json, "time");
    evidence.entryId = textFrom(json, "entryId");
    return evidence;
}

static Verdict::Group groupFrom(const Json &json, const LaunchPlan &plan)
{
    Verdict::Group group;
    group.ranks = ranksAt(json, "ranks");
    group.text = textFrom(json, "text");
    group.entryId = textFrom(json, "entryId");
    if (!group.ranks.empty())
        group.process = processOf(plan, Role::Worker, group.ranks.front());
    return group;
}

static Verdict::Exit exitFrom(const Json &json, const LaunchPlan &plan)
{
    Verdict::Exit each;
    readWho(each, json, plan);
    each.when = QDateTime::fromString(textFrom(json, "when"), Qt::ISODateWithMs);
    each.text = textFrom(json, "text");
    return each;
}

static FailureExplanation knownFrom(const Json &json)
{
    constexpr std::size_t mostCommands = 20;
    FailureExplanation known;
    if (json.is_null())
        return known;
    known.id = textFrom(json, "id");
    known.title = textFrom(json, "title");
    known.meaning = textFrom(json, "meaning");
    known.mend = textFrom(json, "mend");
    known.commands = textsAt(json, "commands", mostCommands);
    return known;
}

/// Throws Json::exception.
static Verdict readVerdict(const Json &json, const LaunchPlan &plan)
{
    Verdict verdict;
    verdict.hasFailure = json.at("hasFailure").get<bool>();
    if (textFrom(json, "rootRole") == roleWord(Role::Console))
        verdict.role = Role::Console;
    if (textFrom(json, "rootRole") == roleWord(Role::Scheduler))
        verdict.role = Role::Scheduler;
    if (!json.at("rootRank").is_null())
        verdict.rank = Rank(json.at("rootRank").get<int>());
    if (verdict.role != Role::Worker || verdict.rank != Failure::noRank)
        verdict.process = processOf(plan, verdict.role, verdict.rank);
    for (const auto &[key, text] : verdictTexts)
        verdict.*text = textFrom(json, key);
    if (!json.at("device").is_null())
        verdict.device = DeviceId(json.at("device").get<int>());
    verdict.confidence = valueIn<Verdict::Confidence>(confidenceWords, textFrom(json, "confidence"))
                             .value_or(Verdict::Confidence::Undecided);
    verdict.candidates = ranksAt(json, "candidates");
    for (const Json &each : listAt(json, "evidence"))
        verdict.evidence.push_back(evidenceFrom(each, plan));
    for (const Json &each : listAt(json, "groups"))
        verdict.groups.push_back(groupFrom(each, plan));
    for (const Json &each : listAt(json, "exits"))
        verdict.exits.push_back(exitFrom(each, plan));
    verdict.known = knownFrom(json.at("known"));
    if (const Json &frame = json.at("frame"); !frame.is_null())
        verdict.frame =
            PythonFrame{textFrom(frame, "file"), frame.at("line").get<int>(), textFrom(frame, "function")};
    if (const Json &pid = json.at("pid"); !pid.is_null())
        verdict.pid = pid.get<qint64>();
    verdict.trace = textsAt(json, "trace");
    verdict.notes = textsAt(json, "notes");
    // Those of earlier versions lack these.
    verdict.isHang = json.value("isHang", false);
    verdict.step = numberFrom(json, "step");
    verdict.silentSeconds = numberFrom(json, "silentSeconds");
    if (json.contains("stacks"))
        verdict.stacks = textsAt(json, "stacks");
    if (json.contains("lastLines"))
        verdict.lastLines = textsAt(json, "lastLines");
    if (json.contains("collectives"))
        verdict.collectives = textsAt(json, "collectives");
    if (json.contains("samples"))
        verdict.samples = textsAt(json, "samples");
    return verdict;
}

std::optional<Verdict> verdictFrom(const nlohmann::json &json, const LaunchPlan &plan)
{
    try {
        return readVerdict(json, plan);
    } catch (const Json::exception &) {
        return std::nullopt;
    }
}

nlohmann::json toJson(const Verdict &verdict)
{
    const bool hasRoot = verdict.hasRoot();
    Json json{{"title", verdictTitle(verdict)},
              {"hasFailure", verdict.hasFailure},
              {"rootRank", hasRoot && verdict.role == Role::Worker ? Json(verdict.rank.value) : Json()},
              {"rootRole", hasRoot ? Json(roleWord(verdict.role)) : Json()},
              {"device", verdict.device == ProcessPlan::noDevice ? Json() : Json(verdict.device.value)},
              {"isHang", verdict.isHang},
              {"step", verdict.step ? Json(*verdict.step) : Json()},
              {"silentSeconds", verdict.silentSeconds ? Json(*verdict.silentSeconds) : Json()},
              {"lastLines", verdict.lastLines},
              {"stacks", verdict.stacks},
              {"confidence", confidenceWord(verdict.confidence)},
              {"candidates", ranksOf(verdict.candidates)},
              {"evidence", verdict.evidence},
              {"groups", verdict.groups},
              {"exits", verdict.exits},
              {"known", knownOf(verdict.known)},
              {"frame", frameOf(verdict.frame)},
              {"pid", verdict.pid > 0 ? Json(verdict.pid) : Json()},
              {"trace", verdict.trace},
              {"notes", verdict.notes},
              {"collectives", verdict.collectives},
              {"samples", verdict.samples}};
    for (const auto &[key, text] : verdictTexts)
        json[key] = orNull(verdict.*text);
    return json;
}

QString confidenceWord(Verdict::Confidence confidence)
{
    return wordIn(confidenceWords, confidence);
}

/// Of a group: "EI0006 waiting for rank 3", or the title of an entry.
static QString groupWords(const QString &text, const ErrorEntry *entry, const QLocale &locale)
{
    if (entry && text.endsWith(entry->title.english))
        return text.chopped(entry->title.english.size()) + entry->title.in(locale);
    const qsizetype code = text.indexOf(QLatin1Char(' ')) + 1;
    const QString words = journalWords(text.mid(code));
    return words == text.mid(code) ? journalWords(text) : text.left(code) + words;
}

Verdict inWordsOfUser(Verdict verdict)
{
    const QLocale locale;
    if (locale.language() == QLocale::English || locale.language() == QLocale::C)
        return verdict;
    for (QString *text : {&verdict.reason, &verdict.cause, &verdict.ending, &verdict.advice})
        *text = journalWords(*text);
    for (QStringList *texts : {&verdict.notes, &verdict.collectives, &verdict.samples}) {
        for (QString &text : *texts)
            text = journalWords(text);
    }
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    for (Verdict::Exit &exit : verdict.exits)
        exit.text = journalWords(exit.text);
    for (Verdict::Group &group : verdict.groups)
        group.text = groupWords(group.text, catalogue.find(group.entryId), locale);
    if (const ErrorEntry *entry = verdict.known.isKnown() ? catalogue.find(verdict.known.id) : nullptr) {
        const QString line = verdict.known.line;
        verdict.known = explanationOf(*entry, locale);
        verdict.known.line = line;
    }
    return verdict;
}

} // namespace rankdeck
