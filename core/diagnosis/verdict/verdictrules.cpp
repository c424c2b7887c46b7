#include "diagnosis/verdict/ruling.h"

#include <QRegularExpression>

namespace rankdeck
{

namespace
{

using Says = RankEvidence::Says;
using Confidence = Verdict::Confidence;

/// Smallest gap, µs, that shows which failure came first on one node; and between nodes, whose clocks differ.
constexpr qint64 tellingMicroseconds = 200'000;
constexpr qint64 tellingBetweenNodes = 5'000'000;

/// Returns true if it failed and Rankdeck had not asked it to stop.
bool endedBadly(const RankEvidence &rank)
{
    return rank.failedByItself() && rank.status && !rank.status->isSuccess() &&
           (rank.isEndTold || rank.status->kind != ExitStatus::Kind::Unknown);
}

bool isWaiting(const RankEvidence &rank)
{
    return rank.says() == Says::Waiting || rank.says() == Says::Disagrees;
}

/// Returns true if killed by a signal that others do not cause; a watchdog that lost a peer sends SIGABRT.
bool isKilled(const RankEvidence &rank)
{
    constexpr std::array signals{SIGKILL, SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    return endedBadly(rank) && rank.status->kind == ExitStatus::Kind::Signalled &&
           std::ranges::find(signals, rank.status->number) != signals.end();
}

bool isBefore(const RankEvidence &one, const RankEvidence &other)
{
    return one.failed() && other.failed() && *one.failed() < *other.failed();
}

/// Returns the ranks with an own error; else those with an error that blames no rank, or that failed.
Ranks suspects(const Case &evidence)
{
    Ranks own;
    Ranks vague;
    for (const RankEvidence &rank : evidence.workers) {
        if (rank.says() == Says::OwnError)
            own.push_back(&rank);
        else if (!isWaiting(rank) && (rank.says() == Says::Something || endedBadly(rank)))
            vague.push_back(&rank);
    }
    if (evidence.scheduler && evidence.scheduler->says() == Says::OwnError)
        own.push_back(&*evidence.scheduler);
    if (own.empty())
        return vague;
    // An exception with nothing but its type may come from a rank that was killed.
    const auto killed = std::ranges::find_if(vague, [](const RankEvidence *rank) { return isKilled(*rank); });
    const bool areVague = std::ranges::all_of(own, [](const RankEvidence *rank) {
        return rank->firstError() && rank->firstError()->layer <= ErrorEntry::Layer::Wrapper;
    });
    if (killed != vague.end() && areVague)
        return {*killed};
    // A rank that was killed by a signal earlier may have caused the errors of the others.
    for (const RankEvidence *rank : vague) {
        const bool isSignalled = endedBadly(*rank) && rank->status->kind == ExitStatus::Kind::Signalled;
        if (isSignalled &&
            std::ranges::all_of(own, [&](const RankEvidence *other) { return isBefore(*rank, *other); }))
            own.push_back(rank);
    }
    return own;
}

bool isAlike(const Ranks &ranks)
{
    const auto key = [](const RankEvidence *rank) {
        const ErrorLine *error = rank->heaviestError();
        if (error)
            return error->entryId + '|'_L1 + errorSignature(error->text);
        return rank->status ? rank->status->text() : QString();
    };
    return std::ranges::all_of(ranks,
                               [&](const RankEvidence *rank) { return key(rank) == key(ranks.front()); });
}

/// Returns the rank that failed clearly before all others, or null.
const RankEvidence *earliest(const Ranks &ranks)
{
    const bool areDated =
        std::ranges::all_of(ranks, [](const RankEvidence *rank) { return rank->failed().has_value(); });
    if (ranks.empty() || !areDated)
        return nullptr;
    const RankEvidence *first = *std::ranges::min_element(
        ranks, [](const RankEvidence *one, const RankEvidence *other) { return isBefore(*one, *other); });
    for (const RankEvidence *rank : ranks) {
        const qint64 gap = rank->node == first->node ? tellingMicroseconds : tellingBetweenNodes;
        if (rank != first && rank->failed()->value - first->failed()->value < gap)
            return nullptr;
    }
    return first;
}

Sentence name(const RankEvidence &rank)
{
    if (rank.role == Role::Console)
        return Sentence::tr("The command");
    return rank.role == Role::Scheduler ? Sentence::tr("The scheduler")
                                        : Sentence::tr("Rank %1").arg(rank.rank.value);
}

/// The same within a sentence.
Sentence nameWithin(const RankEvidence &rank)
{
    if (rank.role == Role::Console)
        return Sentence::tr("the command");
    return rank.role == Role::Scheduler ? Sentence::tr("the scheduler")
                                        : Sentence::tr("rank %1").arg(rank.rank.value);
}

/// Whether several ranks had the error of this one, as it says: "ranks:dict_keys([0, 1])".
bool saysOthersFailedAlike(const RankEvidence &rank)
{
    static const QRegularExpression form(u"\\branks:dict_keys\\(\\[\\d+,"_s);
    return std::ranges::any_of(rank.errors, [](const ErrorLine &error) { return error.text.contains(form); });
}

/// Returns the ranks that do not agree with this one.
Ranks accusersOf(const RankEvidence &rank, const Case &evidence)
{
    Ranks accusers = thatSay(evidence, Says::Disagrees);
    std::erase_if(accusers, [&](const RankEvidence *other) {
        const std::vector<int> named = other->peers().ranks;
        return std::ranges::find(named, rank.rank.value) == named.end();
    });
    return accusers;
}

Ruling alike(const Sentence &reason, const Ranks &candidates, const Ranks &witnesses)
{
    Ruling made = undecided("alike-error", reason, candidates, witnesses);
    made.confidence = Confidence::Likely;
    return made;
}

bool isWordless(const RankEvidence *rank)
{
    return !rank->firstError();
}

Sentence endedFirst(const RankEvidence &rank)
{
    return Sentence::tr("%1 ended first, without an error in its log.").arg(name(rank));
}

/// Returns true if no other rank explains the failure as well: none has an error without an explanation, and
/// none failed before. An exception with nothing but its type is not enough to be sure.
bool standsAlone(const RankEvidence &root, const Case &evidence)
{
    const ErrorLine *error = root.firstError();
    if (root.isGuessed || (error && error->layer <= ErrorEntry::Layer::Wrapper))
        return false;
    return std::ranges::all_of(evidence.workers, [&](const RankEvidence &rank) {
        if (&rank == &root || isWaiting(rank))
            return true;
        return rank.says() != Says::Something && (!endedBadly(rank) || isBefore(root, rank));
    });
}

} // namespace

const RankEvidence *Case::worker(int rank) const
{
    const auto found =
        std::ranges::find_if(workers, [&](const RankEvidence &each) { return each.rank.value == rank; });
    return found == workers.end() ? nullptr : &*found;
}

std::optional<Ruling> ruleByOwnErrors(const Case &evidence)
{
    const Ranks all = suspects(evidence);
    if (all.empty())
        return std::nullopt;
    const bool areVague =
        std::ranges::all_of(all, [](const RankEvidence *rank) { return rank->says() != Says::OwnError; });
    const bool isSomebodyWaiting = std::ranges::any_of(evidence.workers, isWaiting);
    const bool haveEnded =
        std::ranges::any_of(all, [](const RankEvidence *rank) { return endedBadly(*rank); });
    // Other ranks that wait explain more than an error that blames no rank.
    if (areVague && isSomebodyWaiting && !haveEnded && all.size() > 1)
        return std::nullopt;

    Ranks witnesses = all;
    if (std::ranges::all_of(all, isWordless) && evidence.scheduler && evidence.scheduler->firstError())
        witnesses.push_back(&*evidence.scheduler); // It explains more.
    if (all.size() == 1 && !saysOthersFailedAlike(*all.front())) {
        const RankEvidence &root = *all.front();
        if (isWordless(&root)) {
            const Ranks accusers = accusersOf(root, evidence);
            witnesses.insert(witnesses.end(), accusers.begin(), accusers.end());
            return ruling("exit", endedFirst(root), &root, witnesses);
        }
        const Sentence reason =
            isSomebodyWaiting
                ? Sentence::tr("%1 shows its own error; the others show only that they waited for it.")
                      .arg(name(root))
                : Sentence::tr("Only %1 shows an error.").arg(nameWithin(root));
        Ruling made = ruling("own-error", reason, &root, witnesses);
        // The program may have survived an error in a log that ends normally.
        if (!areVague && (isSomebodyWaiting || endedBadly(root)) && standsAlone(root, evidence))
            made.confidence = Confidence::Certain;
        return made;
    }
    if (all.size() == 1 || (isAlike(all) && all.size() >= evidence.workers.size()))
        return alike(
            all.size() == 1
                ? Sentence::tr("Ranks failed alike, each on its own; no rank is to blame for the others.")
                : Sentence::tr(
                      "All %1 ranks failed alike, each on its own; no rank is to blame for the others.")
                      .arg(all.size()),
            all, witnesses);
    const RankEvidence *first = earliest(all);
    const bool isByExit = first ? isWordless(first) : std::ranges::all_of(all, isWordless);
    const char *const rule = isByExit ? "exit" : "own-error";
    const auto seen = std::ranges::find_if(all, [&](const RankEvidence *rank) {
        return rank->role == Role::Worker && evidence.seenFirst == rank->rank.value;
    });
    if (first)
        return ruling(rule,
                      isByExit ? endedFirst(*first)
                               : Sentence::tr("%1 ranks show their own errors; the error of %2 was first.")
                                     .arg(all.size())
                                     .arg(nameWithin(*first)),
                      first, witnesses);
    if (seen != all.end())
        return ruling(
            rule,
            Sentence::tr("%1 ranks failed at nearly the same time, each on its own; rank %2 failed first.")
                .arg(all.size())
                .arg((*seen)->rank.value),
            *seen, witnesses);
    return undecided(
        rule,
        (isByExit
             ? Sentence::tr(
                   "%1 ranks ended without an error in their logs. Their times do not show which was first.")
             : Sentence::tr("%1 ranks show their own errors. Their times do not show which was first."))
            .arg(all.size()),
        all, witnesses);
}

namespace
{

/// Decides by a log that names no rank, if no rank has an error in lines of its own: by the error in it, and
/// for several ranks with the same error.
std::optional<Ruling> ruleByConsole(const Case &evidence)
{
    const auto isSilent = [](const RankEvidence &rank) {
        return isWordless(&rank);
    };
    if (!evidence.console || !evidence.console->firstError() ||
        !std::ranges::all_of(evidence.workers, isSilent))
        return std::nullopt;
    const RankEvidence &console = *evidence.console;
    const Ranks failed = suspects(evidence);
    const auto isOfKind = [](ExitStatus::Kind kind) {
        return [kind](const RankEvidence *rank) {
            return rank->status->kind == kind;
        };
    };
    // Launchers that do not know how a rank ended saw it die of what the log tells.
    const bool isUntold = console.heaviestError()->layer >= ErrorEntry::Layer::Own &&
                          std::ranges::all_of(failed, isOfKind(ExitStatus::Kind::Unknown));
    const bool isCrash = !isUntold && !std::ranges::all_of(failed, isOfKind(ExitStatus::Kind::Exited));
    const bool isOfOthers = console.heaviestError()->layer == ErrorEntry::Layer::Wait;
    if (isCrash || (isOfOthers && !failed.empty()))
        return std::nullopt;
    // A server goes on after a line that only calls itself an error.
    if (failed.empty() && console.heaviestError()->entryId.isEmpty() && console.traces.empty())
        return std::nullopt;
    const bool isAlone = evidence.worldSize == 1;
    if (isUntold || failed.empty())
        return ruling("one-log",
                      isAlone ? Sentence::tr("The log is that of the only rank.")
                              : Sentence::tr("The log does not name the rank."),
                      &console, {});
    if (failed.size() > 1 && sameErrors(console) == 1)
        return undecided("one-log", Sentence::tr("The log does not say which of the ranks failed."), failed,
                         {&console});
    return alike(Sentence::tr("Ranks failed alike, each on its own; no rank is to blame for the others."),
                 failed, {&console});
}

/// Where ranks only waited, an error of its own in lines that name no rank explains why: it is that of the
/// rank which was waited for, or nobody can tell whose.
std::optional<Ruling> ruleByWaits(const Case &evidence)
{
    auto ruling = ruleByWaiting(evidence);
    const ErrorLine *error = evidence.console ? evidence.console->heaviestError() : nullptr;
    if (!ruling || !error || error->layer < ErrorEntry::Layer::Own || error->isWarning ||
        error->isGeneral() || error->tellsOfEnd())
        return ruling;
    if (!ruling->root) {
        ruling->rule = u"one-log"_s;
        ruling->confidence = Confidence::Likely;
        ruling->reason = Sentence::tr("The log does not name the rank.");
        ruling->root = &*evidence.console;
        ruling->candidates.clear();
    } else if (isWordless(ruling->root) && !endedBadly(*ruling->root)) {
        ruling->words = &*evidence.console;
    } else {
        return ruling;
    }
    ruling->witnesses.insert(ruling->witnesses.begin(), &*evidence.console);
    return ruling;
}

/// Where a rank says only that something failed, an error in lines that name no rank explains what.
void addWordsOfConsole(Ruling &ruling, const Case &evidence)
{
    const ErrorLine *error = ruling.root ? ruling.root->heaviestError() : nullptr;
    const ErrorLine *other = evidence.console ? evidence.console->heaviestError() : nullptr;
    if (ruling.words || !error || !other || ruling.root == &*evidence.console ||
        error->layer != ErrorEntry::Layer::Wrapper || error->entryId.isEmpty() ||
        other->layer < ErrorEntry::Layer::Own || other->isWarning || other->isGeneral() ||
        other->tellsOfEnd())
        return;
    ruling.words = &*evidence.console;
    ruling.witnesses.push_back(&*evidence.console);
}

} // namespace

std::optional<Ruling> rule(const Case &evidence)
{
    for (const auto decide :
         {ruleByInterrupt, ruleByConsole, ruleByOwnErrors, ruleByRecorders, ruleByWaits, ruleByStall}) {
        if (auto ruling = decide(evidence)) {
            addWordsOfConsole(*ruling, evidence);
            return ruling;
        }
    }
    return std::nullopt;
}

std::ptrdiff_t sameErrors(const RankEvidence &log)
{
    const QString signature = errorSignature(log.heaviestError()->text);
    return std::ranges::count_if(
        log.errors, [&](const ErrorLine &error) { return errorSignature(error.text) == signature; });
}

QString errorSignature(const QString &text)
{
    static const QRegularExpression variable(
        u"0x[0-9a-fA-F]+|\\b[0-9a-fA-F]{8,}\\b|/[\\w./-]+/|\\d+(?:[.:,]\\d+)*"_s);
    QString signature = text;
    signature.replace(variable, u"#"_s);
    return signature.simplified().left(200);
}

} // namespace rankdeck
