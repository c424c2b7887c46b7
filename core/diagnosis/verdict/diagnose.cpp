#include "diagnosis/verdict/diagnose.h"

#include "base/times.h"
#include "diagnosis/failure/failurereport.h"
#include "diagnosis/stall/stackgroups.h"
#include "diagnosis/verdict/evidencegathering.h"
#include "diagnosis/verdict/verdictdetails.h"
#include "diagnosis/verdict/verdictrules.h"
#include "diagnosis/verdict/verdicttext.h"
#include "launch/plan/launchplan.h"
#include "log/merge/logfold.h"
#include "run/record/runstate.h"
#include "run/samples/historytexts.h"

#include <csignal>

namespace rankdeck
{

static int processOf(const RunState &state, const Failure &failure)
{
    const auto &processes = state.plan->processes;
    const auto found = std::ranges::find_if(processes, [&](const ProcessPlan &process) {
        return process.rank == failure.rank && process.role == failure.role;
    });
    return found == processes.end() ? -1 : int(found - processes.begin());
}

constexpr std::size_t mostWitnesses = 12;
constexpr qint64 microsecondsPerSecond = 1'000'000;

/// Formats a stamp as the log has it, without a zone.
static QString timeWords(const std::optional<LogTime> &time)
{
    return time ? utcTime(time->value / 1000).toString(u"yyyy-MM-dd HH:mm:ss"_s) : QString();
}

static bool isKnownStatus(const RankEvidence &rank)
{
    return rank.status && !rank.wasEndedByUs() && rank.phase != RankPhase::Ended &&
           !rank.status->isSuccess() && rank.status->kind != ExitStatus::Kind::Unknown;
}

static Verdict::Evidence fromError(const RankEvidence &rank, const ErrorLine &error)
{
    return {rank.process,          rank.role,    rank.rank, error.file, error.line.value + 1, error.text,
            timeWords(error.time), error.entryId};
}

static Verdict::Evidence fromExit(const RankEvidence &rank)
{
    return {rank.process,
            rank.role,
            rank.rank,
            {},
            0,
            describeExit(*rank.status),
            timeWords(rank.ended),
            exitEntry(*rank.status)};
}

/// Returns the first trace with an exception: exceptions raised during its handling explain less.
static const PythonTrace *tellingTrace(const RankEvidence &rank)
{
    const auto found = std::ranges::find_if(
        rank.traces, [](const PythonTrace &trace) { return !trace.exception.isEmpty(); });
    return found == rank.traces.end() ? nullptr : &*found;
}

/// Returns the heaviest entry that they show.
static QString heaviestEntry(const std::vector<const RankEvidence *> &ranks)
{
    const ErrorLine *heaviest = nullptr;
    for (const RankEvidence *rank : ranks) {
        const ErrorLine *error = rank->heaviestError();
        if (error && !error->entryId.isEmpty() && (!heaviest || error->power() > heaviest->power()))
            heaviest = error;
    }
    return heaviest ? heaviest->entryId : QString();
}

/// Returns true if a rank lived until Rankdeck stopped it: Rankdeck asked for its exit.
static bool hasOutlived(const RankEvidence &rank, const RankEvidence &failed)
{
    const bool isAfter = rank.ended && failed.ended && *failed.ended <= *rank.ended;
    return rank.wasEndedByUs() || rank.phase == RankPhase::Ended ||
           (rank.phase == RankPhase::Exited && rank.status && isAfter);
}

/// Returns the witnesses that waited for the root.
static std::vector<const RankEvidence *> waitersOf(const Ruling &ruling)
{
    std::vector<const RankEvidence *> waiters;
    for (const RankEvidence *rank : ruling.witnesses) {
        if (rank != ruling.root && rank->role == Role::Worker && rank->firstError())
            waiters.push_back(rank);
    }
    return waiters;
}

/// Returns the waiting rank that timed out first; null if there is none.
static const RankEvidence *firstWaiter(const Ruling &ruling)
{
    const RankEvidence *first = nullptr;
    for (const RankEvidence *rank : waitersOf(ruling)) {
        if (!first || (rank->failed() && first->failed() && *rank->failed() < *first->failed()))
            first = rank;
    }
    return first;
}

/// Explains a root without an error of its own: quotes the ranks that waited for it.
static void explainWait(Verdict &verdict, const Ruling &ruling)
{
    const RankEvidence &root = *ruling.root;
    std::vector<int> ranks;
    for (const RankEvidence *rank : waitersOf(ruling))
        ranks.push_back(rank->rank.value);
    const RankEvidence *first = firstWaiter(ruling);
    if (!first)
        return;
    std::ranges::sort(ranks);
    const QString text = first->heaviestError()->text;
    verdict.isHang = hasOutlived(root, *first);
    verdict.cause = Sentence::tr("ranks %1 gave up waiting: %2", "rank %1 gave up waiting: %2",
                                 static_cast<int>(ranks.size()))
                        .arg(rankRanges(ranks), text);
    if (root.lastTime && first->failed() && *root.lastTime < *first->failed()) {
        const qint64 seconds = (first->failed()->value - root.lastTime->value) / microsecondsPerSecond;
        if (verdict.isHang)
            verdict.silentSeconds = seconds;
        else
            verdict.notes << Sentence::tr("Rank %1 had been silent for %2 s by then.")
                                 .arg(root.rank.value)
                                 .arg(seconds);
    }
    if (const PythonTrace *trace = tellingTrace(*first)) {
        verdict.trace = trace->lines;
        verdict.notes << Sentence::tr("The traceback is from rank %1.").arg(first->rank.value);
    }
}

static void explainRoot(Verdict &verdict, const Ruling &ruling)
{
    const RankEvidence &root = *ruling.root;
    verdict.process = root.process;
    verdict.role = root.role;
    verdict.rank = root.role == Role::Worker ? root.rank : Failure::noRank;
    verdict.node = root.node;
    verdict.device = root.device;
    if (isKnownStatus(root))
        verdict.ending = describeExit(*root.status);
    const RankEvidence &told = ruling.words ? *ruling.words : root;
    const ErrorLine *error = told.heaviestError();
    const PythonTrace *trace = tellingTrace(told);
    if (trace) {
        verdict.frame = trace->userFrame;
        verdict.trace = trace->lines;
    }
    // The kernel's reason explains more than the last words of the process.
    const bool isOwn = error && error->layer != ErrorEntry::Layer::Wait && !root.ranOutOfMemory();
    const bool isPlainExit = isKnownStatus(root) && root.status->shellCode() <= 128;
    if (const RankEvidence *accuser = !error && isPlainExit ? firstWaiter(ruling) : nullptr) {
        verdict.causeId = accuser->heaviestError()->entryId;
        verdict.cause = Sentence(accuser->heaviestError()->text);
        verdict.notes << Sentence::tr("The sentence is from rank %1.").arg(accuser->rank.value);
    } else if (isOwn) {
        verdict.causeId = error->entryId;
        // The exception explains more than a general entry.
        verdict.cause = Sentence(trace && error->isGeneral() ? trace->exception : error->text);
    } else if (error && !root.ranOutOfMemory() && isKnownStatus(root) &&
               (root.status->shellCode() <= 128 || root.status->shellCode() == 128 + SIGABRT)) {
        verdict.causeId =
            error->entryId; // What it waited for tells more than that it exited, or aborted then.
        verdict.cause = Sentence(error->text);
    } else if (isKnownStatus(root)) {
        verdict.causeId = exitEntry(*root.status);
        verdict.cause = verdict.ending;
    } else if (root.isEndTold && !root.stopRequested) {
        verdict.cause = Sentence::tr("it died, as its launcher reports");
    } else if (!error) {
        explainWait(verdict, ruling);
    }
}

/// Quotes a rank's error if no rank is to blame.
static void quoteRank(Verdict &verdict, const RankEvidence &rank)
{
    const ErrorLine *error = rank.heaviestError();
    const PythonTrace *trace = tellingTrace(rank);
    if (trace) {
        verdict.frame = trace->userFrame;
        verdict.trace = trace->lines;
    }
    if (!error)
        return;
    if (!error->entryId.isEmpty())
        verdict.causeId = error->entryId;
    verdict.cause = Sentence(trace && error->isGeneral() ? trace->exception : error->text);
    if (trace && rank.role == Role::Worker)
        verdict.notes << Sentence::tr("The traceback is from rank %1.").arg(rank.rank.value);
}

/// Returns the rank whose error most ranks show, of several the one with the heaviest; one that only passes
/// another on counts last. Null: none shows any.
static const RankEvidence *speaker(const Ruling &ruling)
{
    QHash<QString, int> counts;
    const RankEvidence *best = nullptr;
    const auto keyOf = [](const RankEvidence &rank) {
        const ErrorLine *error = rank.heaviestError();
        return error->entryId.isEmpty() ? errorSignature(error->text) : error->entryId;
    };
    const auto order = [&](const RankEvidence &rank) {
        const ErrorLine &error = *rank.heaviestError();
        return std::tuple(error.layer > ErrorEntry::Layer::Wrapper, counts.value(keyOf(rank)), error.power());
    };
    for (const auto *ranks : {&ruling.candidates, &ruling.witnesses}) {
        for (const RankEvidence *rank : *ranks) {
            if (rank->heaviestError())
                ++counts[keyOf(*rank)];
        }
        for (const RankEvidence *rank : *ranks) {
            if (rank->heaviestError() && (!best || order(*best) < order(*rank)))
                best = rank;
        }
        if (best)
            break;
    }
    return best;
}

static void addEvidence(Verdict &verdict, const Ruling &ruling)
{
    for (const RankEvidence *rank : ruling.witnesses) {
        if (verdict.evidence.size() >= mostWitnesses)
            break;
        const ErrorLine *first = rank->firstError();
        const ErrorLine *heaviest = rank->heaviestError();
        if (rank->ranOutOfMemory())
            verdict.evidence.push_back(fromExit(*rank));
        if (first)
            verdict.evidence.push_back(fromError(*rank, *first));
        if (heaviest && heaviest != first)
            verdict.evidence.push_back(fromError(*rank, *heaviest));
        if (isKnownStatus(*rank) && !rank->ranOutOfMemory() && (!first || rank == ruling.root))
            verdict.evidence.push_back(fromExit(*rank));
    }
}

/// What commands of advice are filled with, see ErrorEntry::filledIn().
static QMap<QString, QString> valuesOf(const Verdict &verdict, const QString &line)
{
    const auto number = [](qint64 value, bool isKnown) {
        return isKnown ? QString::number(value) : QString();
    };
    return {{u"device"_s, number(verdict.device.value, verdict.device != ProcessPlan::noDevice)},
            {u"node"_s, verdict.node},
            {u"port"_s, portIn(line)},
            {u"pid"_s, number(verdict.pid, verdict.pid > 0)},
            {u"rank"_s, number(verdict.rank.value, verdict.rank != Failure::noRank)},
            {u"log"_s, verdict.evidence.empty() ? QString() : verdict.evidence.front().file}};
}

static void explain(Verdict &verdict, const ErrorCatalogue &catalogue, const QLocale &locale)
{
    const ErrorEntry *entry = verdict.causeId.isEmpty() ? nullptr : catalogue.find(verdict.causeId);
    if (entry) {
        const auto line = std::ranges::find(verdict.evidence, entry->id, &Verdict::Evidence::entryId);
        const bool hasLine = line != verdict.evidence.end();
        const QString text = hasLine ? line->text : verdict.cause;
        verdict.known = explanationOf(*entry, locale, valuesOf(verdict, text));
        verdict.known.line = hasLine ? text : QString();
        if (const QString own = adviceIn(verdict.cause); !own.isEmpty())
            verdict.ownAdvice = Sentence::tr("The message itself says: “%1”").arg(own);
    }
    if (const auto &error = catalogue.userFileError())
        verdict.known.catalogueProblem = error->sentence();
}

static Verdict ruled(const Ruling &ruling)
{
    Verdict verdict;
    verdict.hasFailure = true;
    verdict.rule = ruling.rule;
    verdict.reason = ruling.reason;
    verdict.confidence = ruling.confidence;
    for (const RankEvidence *rank : ruling.candidates) {
        if (rank->role == Role::Worker)
            verdict.candidates.push_back(rank->rank);
    }
    std::ranges::sort(verdict.candidates);
    if (ruling.root)
        explainRoot(verdict, ruling);
    else if (const RankEvidence *quoted = speaker(ruling))
        quoteRank(verdict, *quoted);
    if (verdict.causeId.isEmpty())
        verdict.causeId = heaviestEntry(ruling.witnesses);
    addEvidence(verdict, ruling);
    return verdict;
}

/// Takes over what firstSight() knew about the same process.
static void takeOver(Verdict &verdict, const Verdict &seen)
{
    const bool isKernels = verdict.causeId == "system-oom-killer"_L1;
    const bool isGuess = verdict.exits.empty(); // The verdict rests on logs alone.
    if (verdict.rule == "exit"_L1 && !isKernels && !isGuess && !seen.causeId.isEmpty())
        verdict.causeId = seen.causeId;
    if (verdict.pid == 0)
        verdict.pid = seen.pid;
    if (verdict.cause.isEmpty())
        verdict.cause = seen.cause;
    if (verdict.trace.isEmpty())
        verdict.trace = seen.trace;
    verdict.advice = seen.advice;
    verdict.notes = seen.notes;
    verdict.notes.removeAll(verdict.cause);
}

Verdict firstSight(const RunState &state, const ErrorCatalogue *catalogue, const QLocale &locale)
{
    Verdict verdict;
    verdict.exits = exitsOf(state);
    if (!state.failure) {
        verdict.hasFailure = state.hasTrouble();
        verdict.rule = verdict.hasFailure ? u"stalled"_s : QString();
        verdict.reason = verdict.hasFailure ? state.endStall->sentence : Sentence();
        return verdict;
    }
    const Failure &failure = *state.failure;
    verdict.hasFailure = true;
    verdict.node = failure.node;
    verdict.pid = failure.pid;
    verdict.trace = failure.traceback;
    verdict.advice = failureAdvice(failure);
    if (catalogue)
        verdict.known = explainFailure(failure, *catalogue, locale);
    verdict.causeId = verdict.known.id;
    if (failure.rank == Failure::noRank) {
        verdict.rule = u"launch"_s;
        verdict.confidence = Verdict::Confidence::Certain;
        verdict.cause = failure.reason;
        return verdict;
    }
    verdict.rule = u"first-sight"_s;
    verdict.confidence = Verdict::Confidence::Likely;
    verdict.process = processOf(state, failure);
    verdict.role = failure.role;
    verdict.rank = failure.role == Role::Worker ? failure.rank : Failure::noRank;
    verdict.device = failure.device;
    verdict.ending = describeExit(failure.status);
    verdict.cause = verdict.ending;
    if (!failure.reason.isEmpty())
        verdict.notes << failure.reason;
    if (verdict.causeId.isEmpty())
        verdict.causeId = exitEntry(failure.status);
    return verdict;
}

static Sentence stallAdvice(const RunState &state, bool isPaused)
{
    if (isPaused)
        return Sentence::tr("A paused rank is continued where it runs: kill -CONT and its pid.");
    if (lastDumps(state.dumps).isEmpty())
        return Sentence::tr("Take the stacks of all ranks while the run stands still: rankdeckctl dump last. "
                            "They show who waits, and where.");
    return Sentence::tr("Compare the stacks of the ranks: the one that is in none of the collectives, but in "
                        "a data loader, a lock or a file, holds up the others. If all are in collectives, "
                        "they call them in another order, or not all ranks of a group call them.");
}

std::vector<Verdict::Exit> exitsOf(const RunState &state)
{
    std::vector<Verdict::Exit> exits;
    if (hasLogsAlone(state.phase))
        return exits;
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const RankState &rank = state.ranks[index];
        const ProcessPlan &process = state.plan->processes[index];
        exits.push_back({int(index), process.role, process.rank, rank.ended,
                         rank.status ? rank.status->text() : Sentence(phaseWord(rank.phase))});
    }
    std::ranges::stable_sort(exits, [](const Verdict::Exit &one, const Verdict::Exit &other) {
        return one.when.isValid() && (!other.when.isValid() || one.when < other.when);
    });
    return exits;
}

/// Of logs without an error nobody can tell whether the job still runs.
static Verdict unfailed()
{
    Verdict verdict;
    verdict.cause =
        Sentence::tr("No log tells an error. If the job has not ended, it hangs where its logs end.");
    verdict.advice = Sentence::tr(
        "Ask its ranks where they stand, on the machine where they run: rankdeckctl adopt PID --detach with "
        "the pid of their launcher, then rankdeckctl dump last; or py-spy dump --pid PID for each rank. If "
        "all "
        "stand in a collective, count that all ranks have come, and try the network and P2P: "
        "NCCL_DEBUG=INFO, "
        "NCCL_P2P_DISABLE=1, HCCL_CONNECT_TIMEOUT.");
    return verdict;
}

/// Tells of which processes the ranks are not known.
static void tellOpenRanks(Verdict &verdict, const LaunchPlan &plan)
{
    const auto &processes = plan.processes;
    verdict.isRankOpen =
        verdict.process >= 0 && processes[std::size_t(verdict.process)].isRankOpen && verdict.hasRoot();
    if (std::ranges::any_of(processes, &ProcessPlan::isRankOpen))
        verdict.notes << Sentence::tr("MindSpore has not told all processes their ranks: the rank of such a "
                                      "process is the number of its device here.");
}

/// Returns the verdict on the attempt that a state is of.
static Verdict diagnoseAttempt(const RunState &state, const ErrorCatalogue &catalogue, const QLocale &locale,
                               const std::function<bool()> &isCancelled)
{
    const GatheredCase gathered = gatherCase(state, catalogue, isCancelled);
    const Verdict seen = firstSight(state, &catalogue, locale);
    const auto ruling = rule(gathered.evidence);
    // A launch that failed as a whole is no rank's fault; for a log directory firstSight() only guesses.
    const bool isWhole =
        state.failure && state.failure->rank == Failure::noRank && !hasLogsAlone(state.phase);
    Verdict verdict = ruling && !isWhole ? ruled(*ruling) : hasLogsAlone(state.phase) ? unfailed() : seen;
    if (verdict.role == Role::Console && gathered.evidence.worldSize == 1) {
        verdict.role = Role::Worker;
        verdict.rank = Rank(0);
    }
    const std::optional<RunStall> &stall = gathered.evidence.stall;
    const bool isStall = stall && verdict.hasFailure && verdict.cause.isEmpty();
    if (isStall) {
        const RankState *root = verdict.process < 0 ? nullptr : &state.ranks[std::size_t(verdict.process)];
        verdict.isPaused = root && (root->wasPaused || root->hold == Hold::Suspended);
        verdict.isHang = verdict.isPaused || stall->silentSince.contains(verdict.process);
        verdict.rule = u"stalled"_s;
        verdict.advice = stallAdvice(state, verdict.isPaused);
        const QDateTime end = isLive(state.phase) ? state.timeSeen() : state.ended;
        if (const auto since = stall->silentSince.constFind(verdict.process);
            since != stall->silentSince.cend())
            verdict.silentSeconds = std::max<qint64>(0, (end.toMSecsSinceEpoch() - *since) / 1000);
        if (ruling->root && ruling->root->stack)
            verdict.frame = ruling->root->stack->userFrame;
    }
    if (verdict.rule == "first-sight"_L1)
        verdict.rule = u"first-seen"_s; // No log contradicts it.
    verdict.exits = seen.exits;
    verdict.groups = errorGroups(gathered.evidence, catalogue, locale);
    if (verdict.process >= 0 && verdict.pid == 0)
        verdict.pid = state.ranks[std::size_t(verdict.process)].pid;
    if (ruling && !isWhole) {
        if (verdict.hasRoot() && verdict.process >= 0 && verdict.process == seen.process)
            takeOver(verdict, seen);
        explain(verdict, catalogue, locale);
    }
    if (const Sentence others = memoryOnCard(verdict.cause); !others.isEmpty())
        verdict.notes << others;
    if (isStall)
        addHangDetails(verdict, state, {});
    else if (const RankEvidence *waiter = verdict.isHang ? firstWaiter(*ruling) : nullptr)
        addHangDetails(verdict, state, waiter->failed());
    verdict.notes += gathered.notes;
    tellOpenRanks(verdict, *state.plan);
    if (gathered.evidence.collectives)
        verdict.collectives = gathered.evidence.collectives->findings;
    verdict.samples = sampleSummary(state);
    return verdict;
}

/// Whether two attempts failed alike.
static bool isAlike(const Verdict &one, const Verdict &other)
{
    return one.rank == other.rank && one.role == other.role && one.ending == other.ending &&
           errorSignature(one.cause) == errorSignature(other.cause);
}

Verdict diagnose(const RunState &state, const ErrorCatalogue &catalogue, const QLocale &locale,
                 const std::function<bool()> &isCancelled)
{
    Verdict last = diagnoseAttempt(state, catalogue, locale, isCancelled);
    if (state.earlier.empty())
        return last;
    Verdict first = diagnoseAttempt(*state.earlier.front(), catalogue, locale, isCancelled);
    first.attempt = state.earlier.front()->attempt;
    if (!first.hasFailure)
        return last;
    if (!state.hasTrouble()) {
        last.notes << Sentence::tr("Attempt %1 failed: %2").arg(*first.attempt).arg(verdictTitle(first));
        return last;
    }
    const auto tell = [&](int attempt, const Verdict &verdict) {
        first.notes << (isAlike(first, verdict)
                            ? Sentence::tr("Attempt %1 failed in the same way.").arg(attempt)
                            : Sentence::tr("Attempt %1 failed: %2").arg(attempt).arg(verdictTitle(verdict)));
    };
    for (std::size_t at = 1; at < state.earlier.size(); ++at)
        tell(state.earlier[at]->attempt, diagnoseAttempt(*state.earlier[at], catalogue, locale, isCancelled));
    tell(state.attempt, last);
    return first;
}

Verdict diagnose(const RunState &state, const std::function<bool()> &isCancelled)
{
    return diagnose(state, ErrorCatalogue::load(), QLocale(), isCancelled);
}

} // namespace rankdeck
