#include "diagnosis/verdict/diagnose.h"

#include "diagnosis/exitwords.h"
#include "diagnosis/verdict/errorgroups.h"
#include "diagnosis/verdict/evidencegathering.h"
#include "diagnosis/verdict/firstsight.h"
#include "diagnosis/verdict/linesigns.h"
#include "run/samples/samplesummary.h"

#include <QHash>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr std::size_t mostWitnesses = 12;

/// As it stands in the log: a stamp has no zone.
QString timeWords(const std::optional<LogTime> &time)
{
    return time ? QDateTime::fromMSecsSinceEpoch(time->value / 1000, Qt::UTC)
                      .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"))
                : QString();
}

bool isKnownStatus(const RankEvidence &rank)
{
    return rank.status && !rank.status->isSuccess() && rank.status->kind != ExitStatus::Kind::Unknown;
}

Verdict::Evidence fromError(const RankEvidence &rank, const ErrorLine &error)
{
    return {rank.process,          rank.role,    rank.rank, error.file, error.line.value + 1, error.text,
            timeWords(error.time), error.entryId};
}

Verdict::Evidence fromExit(const RankEvidence &rank)
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

/// The first trace that names an exception, since what was raised while another was handled says less.
const PythonTrace *tellingTrace(const RankEvidence &rank)
{
    const auto found = std::find_if(rank.traces.begin(), rank.traces.end(),
                                    [](const PythonTrace &trace) { return !trace.exception.isEmpty(); });
    return found == rank.traces.end() ? nullptr : &*found;
}

/// What most of them show.
QString commonEntry(const std::vector<const RankEvidence *> &ranks)
{
    QHash<QString, int> counts;
    QString best;
    for (const RankEvidence *rank : ranks) {
        const ErrorLine *error = rank->heaviestError();
        if (error && !error->entryId.isEmpty() && ++counts[error->entryId] > counts.value(best))
            best = error->entryId;
    }
    return best;
}

/// What explains most of what they show.
QString heaviestEntry(const std::vector<const RankEvidence *> &ranks)
{
    const ErrorLine *heaviest = nullptr;
    for (const RankEvidence *rank : ranks) {
        const ErrorLine *error = rank->heaviestError();
        if (error && !error->entryId.isEmpty() && (!heaviest || error->weight > heaviest->weight))
            heaviest = error;
    }
    return heaviest ? heaviest->entryId : QString();
}

void explainRoot(Verdict &verdict, const Ruling &ruling)
{
    const RankEvidence &root = *ruling.root;
    verdict.process = root.process;
    verdict.role = root.role;
    verdict.rank = root.role == Role::Worker ? root.rank : Failure::noRank;
    verdict.node = root.node;
    verdict.device = root.device;
    if (isKnownStatus(root))
        verdict.ending = describeExit(*root.status);
    const ErrorLine *error = root.heaviestError();
    const PythonTrace *trace = tellingTrace(root);
    if (trace) {
        verdict.frame = trace->userFrame;
        verdict.trace = trace->lines;
    }
    // What the kernel says of its end explains more than what it could still say itself.
    const bool isOwn = error && error->blame != ErrorEntry::Blame::Peer && !root.ranOutOfMemory();
    if (isOwn) {
        verdict.causeId = error->entryId;
        // The exception says what the program made of it.
        verdict.cause = trace && error->weight <= ErrorEntry::generalWeight ? trace->exception : error->text;
    } else if (isKnownStatus(root)) {
        verdict.causeId = exitEntry(*root.status);
        verdict.cause = verdict.ending;
    }
}

void addEvidence(Verdict &verdict, const Ruling &ruling)
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

void explain(Verdict &verdict, const ErrorCatalogue &catalogue, const QLocale &locale)
{
    if (const auto &error = catalogue.userFileError())
        verdict.known.catalogueProblem = error->sentence();
    const ErrorEntry *entry = verdict.causeId.isEmpty() ? nullptr : catalogue.find(verdict.causeId);
    if (!entry)
        return;
    verdict.known.id = entry->id;
    verdict.known.title = entry->title.in(locale);
    verdict.known.meaning = entry->meaning.in(locale);
    verdict.known.mend = entry->mend.in(locale);
    verdict.known.commands = entry->commands;
    for (const Verdict::Evidence &each : verdict.evidence) {
        if (each.entryId == entry->id) {
            verdict.known.line = each.text;
            break;
        }
    }
}

Verdict ruled(const Ruling &ruling)
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
    std::sort(verdict.candidates.begin(), verdict.candidates.end());
    if (ruling.root)
        explainRoot(verdict, ruling);
    else
        verdict.causeId = commonEntry(ruling.candidates);
    if (verdict.causeId.isEmpty())
        verdict.causeId = heaviestEntry(ruling.witnesses);
    addEvidence(verdict, ruling);
    return verdict;
}

bool isSameProcess(const Verdict &verdict, const Verdict &seen)
{
    return verdict.hasRoot() && verdict.process >= 0 && verdict.process == seen.process;
}

/// What was known of the process before its log was read.
void takeOver(Verdict &verdict, const Verdict &seen)
{
    const bool isKernels = verdict.causeId == QLatin1String("system-oom-killer");
    if (verdict.rule == QLatin1String("exit") && !isKernels && !seen.causeId.isEmpty())
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

} // namespace

Verdict diagnose(const RunState &state, const LineSigns &signs, const QLocale &locale,
                 const std::function<bool()> &isCancelled)
{
    const GatheredCase gathered = gatherCase(state, signs, isCancelled);
    const Verdict seen = firstSight(state, &signs.catalogue(), locale);
    const auto ruling = rule(gathered.evidence);
    // A launch that failed as a whole is no rank's fault; of a log directory what is seen is a guess.
    const bool isWhole = state.failure && state.failure->rank == Failure::noRank;
    Verdict verdict = ruling && !isWhole ? ruled(*ruling) : hasLogsAlone(state.phase) ? Verdict() : seen;
    verdict.exits = seen.exits;
    verdict.groups = errorGroups(gathered.evidence, signs.catalogue(), locale);
    if (verdict.process >= 0 && verdict.pid == 0)
        verdict.pid = state.ranks[static_cast<std::size_t>(verdict.process)].pid;
    if (ruling && !isWhole) {
        if (isSameProcess(verdict, seen))
            takeOver(verdict, seen);
        explain(verdict, signs.catalogue(), locale);
    }
    verdict.notes += gathered.notes;
    verdict.samples = sampleSummary(state);
    return verdict;
}

Verdict diagnose(const RunState &state, const std::function<bool()> &isCancelled)
{
    return diagnose(state, LineSigns(ErrorCatalogue::load()), QLocale(), isCancelled);
}

} // namespace rankdeck
