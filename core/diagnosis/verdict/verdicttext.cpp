#include "diagnosis/verdict/verdicttext.h"

#include "base/listcomma.h"
#include "launch/plan/launchplan.h"
#include "log/merge/logfold.h"
#include "run/record/runstate.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <map>

namespace rankdeck
{

namespace
{

using Says = RankEvidence::Says;

/// Returns the code at the end of an entry's id: "EI0006", "507011"; empty if it has none.
QString codeOf(const QString &entryId)
{
    static const QRegularExpression code(u"-((?:E[A-Z0-9]\\d{4}|ERR\\w{5}|\\d{6}))$"_s);
    return code.match(entryId).captured(1);
}

/// Returns one line for a rank: its own words for an error of its own, else the title of the known error.
Sentence wordsOf(const RankEvidence &rank, const ErrorCatalogue &catalogue, const QLocale &locale)
{
    const ErrorLine *error = rank.heaviestError();
    if (!error && rank.stack && rank.stack->userFrame)
        return Sentence::tr("stands in %1").arg(frameWords(*rank.stack->userFrame));
    if (!error) {
        const bool isBad = rank.status && !rank.status->isSuccess();
        return isBad && (rank.failedByItself() || rank.endedBadly) ? rank.status->text()
                                                                   : Sentence::tr("no error");
    }
    const ErrorEntry *entry = error->entryId.isEmpty() ? nullptr : catalogue.find(error->entryId);
    const QString code = codeOf(error->entryId);
    const NamedPeers peers = rank.peers();
    if (rank.says() == Says::Waiting && peers.ranks.size() == 1) {
        const Sentence waiting = Sentence::tr("waiting for rank %1").arg(peers.ranks.front());
        return code.isEmpty() ? waiting : joinedBySpaces(QList<Sentence>{Sentence(code), waiting});
    }
    if (!entry || entry->weight <= ErrorEntry::generalWeight) {
        for (const PythonTrace &trace : rank.traces) {
            if (!trace.exception.isEmpty())
                return Sentence(trace.exception);
        }
        return Sentence(error->text);
    }
    const QString title = entry->title.in(locale);
    return Sentence(code.isEmpty() ? title : u"%1 %2"_s.arg(code, title));
}

int informativeness(Says says)
{
    constexpr std::array order{Says::OwnError, Says::Disagrees, Says::Something, Says::Waiting,
                               Says::Nothing};
    return int(std::ranges::find(order, says) - order.begin());
}

constexpr auto mostExits = std::size_t(64);

std::vector<int> numbersOf(const std::vector<Rank> &ranks)
{
    std::vector<int> numbers;
    for (const Rank rank : ranks)
        numbers.push_back(rank.value);
    return numbers;
}

/// Returns true for a rank without a log, for which the others waited.
bool hasNotArrived(const Verdict &verdict)
{
    const bool isMissed = verdict.rule == "silent"_L1 || verdict.rule == "absent"_L1;
    return verdict.role == Role::Worker && verdict.hasRoot() && verdict.process < 0 && isMissed;
}

/// "Rank 6 hung at step 20 (silent 5 s)"
Sentence hangWords(const Verdict &verdict)
{
    if (verdict.isPaused)
        return Sentence::tr("Rank %1 was paused (SIGSTOP)").arg(verdict.rank.value);
    const Sentence hung =
        verdict.step ? Sentence::tr("Rank %1 hung at step %2").arg(verdict.rank.value).arg(*verdict.step)
                     : Sentence::tr("Rank %1 hung").arg(verdict.rank.value);
    return verdict.silentSeconds ? Sentence::tr("%1 (silent %2 s)").arg(hung).arg(*verdict.silentSeconds)
                                 : hung;
}

QString exitLine(const Verdict::Exit &each)
{
    const QString when = each.when.isValid() ? each.when.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s)
                                             : QString(23, ' '_L1);
    return u"%1  %2  %3"_s.arg(when, -23).arg(processName(each.role, each.rank), -9).arg(each.text);
}

/// Returns the run as it was at the end of the attempt that the verdict is about.
const RunState &attemptOf(const Verdict &verdict, const RunState &state)
{
    const auto found = std::ranges::find_if(
        state.earlier, [&](const auto &earlier) { return earlier->attempt == verdict.attempt; });
    return found == state.earlier.end() ? state : **found;
}

/// Returns true if the failure in the run's state is that of the verdict.
bool isOfFailure(const Verdict &verdict, const RunState &state)
{
    const bool isPlanned = verdict.process >= 0 && verdict.process < int(state.plan->processes.size());
    if (isPlanned && verdict.role == Role::Console && state.failure &&
        state.plan->processes[std::size_t(verdict.process)].logFile != state.failure->logFile)
        return false; // Several logs may name no rank.
    return state.failure && verdict.attempt.value_or(state.attempt) == state.attempt &&
           (verdict.hasRoot() || verdict.rule == "launch"_L1) && verdict.role == state.failure->role &&
           (verdict.role != Role::Worker || verdict.rank == state.failure->rank);
}

/// Returns the lines on the launch and on the places of its files.
QStringList runLines(const Verdict &verdict, const RunState &state)
{
    const bool areLogs = hasLogsAlone(state.phase);
    QStringList lines;
    if (const QString log = logOf(verdict, state); !log.isEmpty())
        lines << tr("Log: %1").arg(log);
    if (state.plan->maxRestarts > 0)
        lines << tr("Attempt %1 of %2, counted from 0; at most %3 restarts")
                     .arg(verdict.attempt.value_or(state.attempt))
                     .arg(state.attempt + 1)
                     .arg(state.plan->maxRestarts);
    lines << (areLogs ? tr("Logs %1 (%2), %3") : tr("Run %1 (%2), %3"))
                 .arg(state.name, state.plan->launcher, shownWord(state.phase));
    lines << (areLogs ? tr("Log directory: %1") : tr("Run directory: %1")).arg(state.directory);
    return lines;
}

QStringList evidenceLines(const Verdict &verdict)
{
    QStringList lines;
    for (const Verdict::Evidence &each : verdict.evidence) {
        const QString place = evidencePlace(each);
        lines << u"%1  %2"_s.arg(processName(each.role, each.rank), place).trimmed() << u"    "_s + each.text;
    }
    return lines;
}

QStringList groupLines(const Verdict &verdict)
{
    QStringList lines;
    for (const Verdict::Group &group : verdict.groups)
        lines << groupWords(group);
    return lines;
}

QStringList exitLines(const Verdict &verdict)
{
    QStringList lines;
    for (std::size_t at = 0; at < verdict.exits.size() && at < mostExits; ++at)
        lines << exitLine(verdict.exits[at]);
    if (verdict.exits.size() > mostExits)
        lines << tr("and %1 more").arg(verdict.exits.size() - mostExits);
    return lines;
}

QStringList indented(const QStringList &lines)
{
    QStringList moved;
    for (const QString &line : lines)
        moved << u"  "_s + line;
    return moved;
}

} // namespace

std::vector<Verdict::Group> errorGroups(const Case &evidence, const ErrorCatalogue &catalogue,
                                        const QLocale &locale)
{
    std::map<std::pair<int, QString>, Verdict::Group> groups;
    for (const RankEvidence &rank : evidence.workers) {
        const Sentence words = wordsOf(rank, catalogue, locale);
        const int place = informativeness(rank.says());
        // The rank that is waited for, and the exit code of one without a word, tell such groups apart.
        const bool areExact = rank.says() == Says::Waiting || !rank.heaviestError();
        const QString key = areExact ? words.text() : errorSignature(words);
        Verdict::Group &group = groups[{place, key}];
        if (group.ranks.empty()) {
            const ErrorLine *error = rank.heaviestError();
            group = {{}, words, error ? error->entryId : QString(), rank.process};
        }
        group.ranks.push_back(rank.rank);
    }
    std::multimap<std::pair<int, std::size_t>, Verdict::Group> sorted; // Equals stay in their order.
    for (auto &[key, group] : groups) {
        std::ranges::sort(group.ranks);
        sorted.emplace(std::pair(key.first, group.ranks.size()), std::move(group));
    }
    std::vector<Verdict::Group> result;
    for (auto &[place, group] : sorted)
        result.push_back(std::move(group));
    return result;
}

QString groupWords(const Verdict::Group &group)
{
    const std::vector<int> ranks = numbersOf(group.ranks);
    return tr("%n ranks (%1): %2", "%n rank (%1): %2", static_cast<int>(ranks.size()))
        .arg(rankRanges(ranks), group.text);
}

Sentence verdictHeadline(const Verdict &verdict)
{
    if (!verdict.hasFailure)
        return Sentence::tr("No failure found");
    if (verdict.isHang)
        return hangWords(verdict);
    if (verdict.rule == "stalled"_L1 && verdict.hasRoot())
        return Sentence::tr("The others wait for rank %1").arg(verdict.rank.value);
    if (verdict.rule == "stalled"_L1)
        return Sentence::tr("The run stands still");
    if (hasNotArrived(verdict))
        return Sentence::tr("Rank %1 did not arrive").arg(verdict.rank.value);
    if (verdict.hasRoot() && verdict.isRankOpen)
        return Sentence::tr("The process of device %1 failed first").arg(verdict.device.value);
    if (verdict.hasRoot() && verdict.role == Role::Console)
        return verdict.pid > 0 ? Sentence::tr("Process %1 failed").arg(verdict.pid)
                               : Sentence::tr("The command failed");
    // No log has been read yet that might say that another failed before.
    if (verdict.hasRoot() && verdict.rule == "first-sight"_L1 && verdict.role == Role::Worker)
        return Sentence::tr("Rank %1 failed").arg(verdict.rank.value);
    if (verdict.hasRoot())
        return verdict.role == Role::Scheduler ? Sentence::tr("The scheduler failed first")
                                               : Sentence::tr("Rank %1 failed first").arg(verdict.rank.value);
    if (verdict.rule == "launch"_L1)
        return Sentence::tr("The run failed");
    if (verdict.rule == "alike-error"_L1)
        return Sentence::tr("All ranks failed alike");
    if (verdict.candidates.empty())
        return Sentence::tr("It is unclear which rank failed first");
    const std::vector<int> candidates = numbersOf(verdict.candidates);
    return Sentence::tr("It is unclear which rank failed first (%1)").arg(rankWords(candidates, candidates));
}

Sentence verdictTitle(const Verdict &verdict)
{
    const Sentence headline = verdictHeadline(verdict);
    const Sentence cause = !verdict.hasFailure       ? Sentence()
                           : verdict.cause.isEmpty() ? Sentence(verdict.known.title)
                                                     : verdict.cause;
    if (cause.isEmpty())
        return headline;
    const bool isOfOthers = verdict.isHang || hasNotArrived(verdict);
    return isOfOthers ? Sentence::joined({headline, cause}, listSemicolon()) : withColon(headline, cause);
}

QString stacksHeading(const Verdict &verdict)
{
    return tr("Stacks of rank %1 while it hung").arg(verdict.rank.value);
}

QStringList lastLinesOf(const Verdict &verdict, const RunState &state)
{
    if (!verdict.lastLines.isEmpty() || !isOfFailure(verdict, state))
        return verdict.lastLines;
    return state.failure->logTail;
}

QString logOf(const Verdict &verdict, const RunState &state)
{
    if (isOfFailure(verdict, state))
        return state.failure->logFile;
    const auto &processes = attemptOf(verdict, state).plan->processes;
    const bool isPlanned = verdict.process >= 0 && verdict.process < int(processes.size());
    return isPlanned ? processes[std::size_t(verdict.process)].logFile : QString();
}

QHash<int, QString> rankFindings(const Verdict &verdict, const RunState &state)
{
    QHash<int, QString> words;
    for (const Verdict::Group &group : verdict.groups) {
        for (const Rank rank : group.ranks)
            words.insert(rank.value, group.text);
    }
    QHash<int, QString> findings;
    for (std::size_t process = 0; process < state.ranks.size(); ++process) {
        const ProcessPlan &plan = state.plan->processes[process];
        const std::optional<ExitStatus> &status = state.ranks[process].status;
        if (plan.role != Role::Worker || !status || !verdict.hasFailure)
            continue;
        const QString text = words.value(plan.rank.value, Sentence::tr("no error"));
        if (verdict.isHang && verdict.process == int(process))
            findings.insert(int(process), verdict.isPaused ? tr("paused, ended") : tr("hung, ended"));
        // A report bundle may have been made in another language.
        else if (text != Sentence::tr("no error") && text != "no error"_L1 && text != status->text())
            findings.insert(int(process), u"%1 · %2"_s.arg(status->text(), text));
    }
    return findings;
}

QString verdictReason(const Verdict &verdict)
{
    if (verdict.reason.isEmpty())
        return {};
    const std::array sentences{tr("%1\nConfidence: certain."), tr("%1\nConfidence: likely."), u"%1"_s};
    return sentences.at(static_cast<std::size_t>(verdict.confidence)).arg(verdict.reason);
}

QString verdictPlace(const Verdict &verdict)
{
    QStringList parts;
    if (verdict.attempt)
        parts << tr("attempt %1").arg(*verdict.attempt);
    if (verdict.device != ProcessPlan::noDevice)
        parts << (verdict.node.isEmpty() ? tr("device %1").arg(verdict.device.value)
                                         : tr("device %1 on %2").arg(verdict.device.value).arg(verdict.node));
    else if (!verdict.node.isEmpty())
        parts << tr("on %1").arg(verdict.node);
    if (verdict.pid > 0)
        parts << tr("pid %1").arg(verdict.pid);
    if (verdict.frame)
        parts << tr("at %1").arg(frameWords(*verdict.frame));
    return parts.join(listComma());
}

QStringList verdictSummary(const Verdict &verdict)
{
    QStringList lines{verdictTitle(verdict)};
    if (const QString place = verdictPlace(verdict); !place.isEmpty())
        lines << place;
    if (!verdict.ending.isEmpty() && verdict.ending != verdict.cause)
        lines << verdict.ending;
    if (!verdict.hasFailure && !verdict.cause.isEmpty())
        lines << verdict.cause;
    if (const QString reason = verdictReason(verdict); !reason.isEmpty())
        lines << reason;
    lines << textsOf(verdict.notes);
    if (const QStringList known = explanationLines(verdict.known); !known.isEmpty())
        lines << QString() << known;
    else if (!verdict.advice.isEmpty())
        lines << verdict.advice;
    if (!verdict.ownAdvice.isEmpty())
        lines << verdict.ownAdvice;
    return lines;
}

std::vector<VerdictSection> verdictSections(const Verdict &verdict, const RunState &state)
{
    std::vector<VerdictSection> sections{
        {tr("Evidence"), evidenceLines(verdict)},
        {tr("Collectives"), textsOf(verdict.collectives)},
        {tr("Traceback"), verdict.trace},
        {stacksHeading(verdict), verdict.stacks},
        {tr("Ranks by message"), verdict.hasFailure ? groupLines(verdict) : QStringList()},
        {tr("Exit status"), exitLines(verdict)},
        {tr("Samples"), textsOf(verdict.samples)},
        {tr("Last lines of the log"), lastLinesOf(verdict, state)}};
    std::erase_if(sections, [](const VerdictSection &section) { return section.lines.isEmpty(); });
    return sections;
}

QString verdictText(const Verdict &verdict, const RunState &state)
{
    QStringList lines = verdictSummary(verdict);
    for (const VerdictSection &section : verdictSections(verdict, state))
        lines << QString() << tr("%1:").arg(section.heading) << indented(section.lines);
    lines << QString() << runLines(verdict, state);
    return lines.join('\n'_L1) + '\n'_L1;
}

QString evidencePlace(const Verdict::Evidence &evidence)
{
    if (evidence.file.isEmpty())
        return {};
    const QFileInfo file(evidence.file);
    QString name = file.fileName();
    // The logs of torchrun all have the same name.
    if (std::ranges::none_of(name, [](QChar c) { return c.isDigit(); }))
        name = file.dir().dirName() + '/'_L1 + name;
    return evidence.line > 0 ? name + ':'_L1 + QString::number(evidence.line) : name;
}

} // namespace rankdeck
