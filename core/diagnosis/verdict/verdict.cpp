#include "diagnosis/verdict/verdict.h"

#include "base/fields.h"
#include "diagnosis/verdict/verdicttext.h"
#include "launch/plan/launchplan.h"
#include "log/line/ansidecoder.h"
#include "run/record/journalwords.h"

namespace rankdeck
{

constexpr std::array confidenceWords{"certain", "likely", "undecided"};

/// Returns a text as one plain line: a bundle may come from anyone.
static QString plainLine(const QString &text)
{
    constexpr int most = 1000;
    return AnsiDecoder::plainText(text.left(most).toUtf8()).simplified();
}

static void visitLine(Fields &fields, const char *key, QString &text)
{
    fields.newer(key, text);
    if (fields.isReading())
        text = plainLine(text);
}

/// Carries a text that is null if it is empty.
static void visitLineOrNull(Fields &fields, const char *key, QString &text)
{
    fields.orNull(key, text);
    if (fields.isReading())
        text = plainLine(text);
}

/// Carries a sentence, whose English text is null if it is empty.
static void visitLineOrNull(Fields &fields, const char *key, const char *said, Sentence &sentence)
{
    fields.said(said, sentence, journalWords, [&](QString &text) { fields.orNull(key, text); });
    if (fields.isReading())
        sentence = sentence.withPlain(plainLine);
}

/// Reads at most `most` texts.
static void visitTexts(Fields &fields, const char *key, QStringList &texts, qsizetype most = 200)
{
    fields(key, texts);
    if (fields.isReading())
        texts = texts.mid(0, most);
}

/// Carries texts that verdicts of earlier versions lack.
static void visitNewerTexts(Fields &fields, const char *key, QStringList &texts)
{
    fields.newer(key, texts);
    if (fields.isReading())
        texts = texts.mid(0, 200);
}

/// Carries sentences that verdicts of earlier versions may lack.
static void visitSentences(Fields &fields, const char *key, const char *said, QList<Sentence> &sentences)
{
    fields.said(said, sentences, journalWords,
                [&](QStringList &texts) { visitNewerTexts(fields, key, texts); });
}

/// Carries the rank, null for other roles, and the role.
static void visitWho(Fields &fields, auto &of)
{
    std::optional<Rank> rank;
    if (!fields.isReading() && of.role == Role::Worker)
        rank = of.rank;
    QString role = roleWord(of.role);
    fields("rank", rank);
    fields.newer("role", role);
    if (!fields.isReading())
        return;
    of.rank = rank.value_or(Rank(0));
    for (const Role other : {Role::Scheduler, Role::Console}) {
        if (role == roleWord(other))
            of.role = other;
    }
}

static void visitFields(Fields &fields, Verdict::Evidence &evidence)
{
    visitWho(fields, evidence);
    std::optional<qint64> line;
    if (evidence.line > 0)
        line = evidence.line;
    fields.orNull("file", evidence.file);
    fields("line", line);
    if (fields.isReading())
        evidence.line = line.value_or(0);
    visitLine(fields, "text", evidence.text);
    visitLineOrNull(fields, "time", evidence.time);
    visitLineOrNull(fields, "entryId", evidence.entryId);
}

/// Carries the text of an exit or a group.
static void visitSaid(Fields &fields, Sentence &sentence, Fields::Earlier earlier)
{
    fields.said("textSaid", sentence, earlier, [&](QString &text) { fields.newer("text", text); });
    if (fields.isReading())
        sentence = sentence.withPlain(plainLine);
}

/// Returns the text of a group of an earlier version: "EI0006 waiting for rank 3".
static QString earlierGroup(const QString &text)
{
    const qsizetype code = text.indexOf(' '_L1) + 1;
    const QString words = journalWords(text.mid(code));
    return words == text.mid(code) ? journalWords(text) : text.left(code) + words;
}

static void visitFields(Fields &fields, Verdict::Exit &each)
{
    visitWho(fields, each);
    fields.orNull("when", each.when);
    visitSaid(fields, each.text, journalWords);
}

static void visitFields(Fields &fields, Verdict::Group &group)
{
    fields("ranks", group.ranks);
    visitSaid(fields, group.text, earlierGroup);
    visitLineOrNull(fields, "entryId", group.entryId);
}

static void visitFields(Fields &fields, FailureExplanation &known)
{
    constexpr qsizetype mostCommands = 20;
    visitLine(fields, "id", known.id);
    visitLine(fields, "title", known.title);
    visitLine(fields, "meaning", known.meaning);
    visitLine(fields, "mend", known.mend);
    visitTexts(fields, "commands", known.commands, mostCommands);
}

static void visitFields(Fields &fields, PythonFrame &frame)
{
    visitLine(fields, "file", frame.file);
    fields("line", frame.line);
    visitLine(fields, "function", frame.function);
}

/// Carries the process that is to blame.
static void visitRoot(Fields &fields, Verdict &verdict)
{
    std::optional<Rank> rank;
    QString role;
    if (verdict.hasRoot()) {
        role = roleWord(verdict.role);
        if (verdict.role == Role::Worker)
            rank = verdict.rank;
    }
    fields("rootRank", rank);
    visitLineOrNull(fields, "rootRole", role);
    if (!fields.isReading())
        return;
    verdict.rank = rank.value_or(Failure::noRank);
    for (const Role other : {Role::Scheduler, Role::Console}) {
        if (role == roleWord(other))
            verdict.role = other;
    }
}

void visitFields(Fields &fields, Verdict &verdict)
{
    if (!fields.isReading()) {
        Sentence title = verdictTitle(verdict);
        fields.said("titleSaid", title, nullptr, [&](QString &text) { fields("title", text); });
    }
    fields("hasFailure", verdict.hasFailure);
    fields.newer("attempt", verdict.attempt);
    visitRoot(fields, verdict);
    visitLineOrNull(fields, "node", verdict.node);
    visitLineOrNull(fields, "causeId", verdict.causeId);
    visitLineOrNull(fields, "cause", "causeSaid", verdict.cause);
    visitLineOrNull(fields, "ending", "endingSaid", verdict.ending);
    visitLineOrNull(fields, "rule", verdict.rule);
    visitLineOrNull(fields, "reason", "reasonSaid", verdict.reason);
    visitLineOrNull(fields, "advice", "adviceSaid", verdict.advice);
    visitLineOrNull(fields, "ownAdvice", "ownAdviceSaid", verdict.ownAdvice);
    std::optional<DeviceId> device;
    if (verdict.device != ProcessPlan::noDevice)
        device = verdict.device;
    fields("device", device);
    QString confidence = confidenceWord(verdict.confidence);
    fields.newer("confidence", confidence);
    fields("candidates", verdict.candidates);
    fields("evidence", verdict.evidence);
    fields("groups", verdict.groups);
    fields("exits", verdict.exits);
    std::optional<FailureExplanation> known;
    if (verdict.known.isKnown())
        known = verdict.known;
    fields("known", known);
    fields("frame", verdict.frame);
    std::optional<qint64> pid;
    if (verdict.pid > 0)
        pid = verdict.pid;
    fields("pid", pid);
    visitTexts(fields, "trace", verdict.trace);
    fields.said("notesSaid", verdict.notes, journalWords,
                [&](QStringList &texts) { visitTexts(fields, "notes", texts); });
    fields.newer("isHang", verdict.isHang);
    fields.newer("isPaused", verdict.isPaused);
    fields.newer("isRankOpen", verdict.isRankOpen);
    fields.newer("step", verdict.step);
    fields.newer("silentSeconds", verdict.silentSeconds);
    visitNewerTexts(fields, "stacks", verdict.stacks);
    visitNewerTexts(fields, "lastLines", verdict.lastLines);
    visitSentences(fields, "collectives", "collectivesSaid", verdict.collectives);
    visitSentences(fields, "samples", "samplesSaid", verdict.samples);
    if (!fields.isReading())
        return;
    verdict.device = device.value_or(ProcessPlan::noDevice);
    verdict.confidence =
        valueIn<Verdict::Confidence>(confidenceWords, confidence).value_or(Verdict::Confidence::Undecided);
    verdict.known = known.value_or(FailureExplanation());
    verdict.pid = pid.value_or(0);
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

Verdict withProcesses(Verdict verdict, const LaunchPlan &plan)
{
    if (verdict.role != Role::Worker || verdict.rank != Failure::noRank)
        verdict.process = processOf(plan, verdict.role, verdict.rank);
    for (Verdict::Evidence &evidence : verdict.evidence)
        evidence.process = processOf(plan, evidence.role, evidence.rank);
    for (Verdict::Exit &each : verdict.exits)
        each.process = processOf(plan, each.role, each.rank);
    for (Verdict::Group &group : verdict.groups) {
        if (!group.ranks.empty())
            group.process = processOf(plan, Role::Worker, group.ranks.front());
    }
    return verdict;
}

std::optional<Verdict> verdictFrom(const QByteArray &text, const LaunchPlan &plan)
{
    auto verdict = fromJsonText<Verdict>(text);
    return verdict ? std::optional(withProcesses(std::move(*verdict), plan)) : std::nullopt;
}

QString confidenceWord(Verdict::Confidence confidence)
{
    return wordIn(confidenceWords, confidence);
}

Verdict inWordsOfUser(Verdict verdict)
{
    const QLocale locale;
    if (locale.language() == QLocale::English || locale.language() == QLocale::C)
        return verdict;
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    for (Verdict::Group &group : verdict.groups) {
        const ErrorEntry *entry = catalogue.find(group.entryId);
        const QString text = group.text;
        if (entry && text.endsWith(entry->title.english))
            group.text = Sentence(text.chopped(entry->title.english.size()) + entry->title.in(locale));
    }
    if (const ErrorEntry *entry = verdict.known.isKnown() ? catalogue.find(verdict.known.id) : nullptr) {
        verdict.known.title = entry->title.in(locale);
        verdict.known.meaning = entry->meaning.in(locale);
        verdict.known.mend = entry->mend.in(locale);
    }
    return verdict;
}

} // namespace rankdeck
