#include "diagnosis/verdict/evidencegathering.h"

#include "background/together.h"
#include "diagnosis/evidence/cannfiles.h"
#include "diagnosis/evidence/logevidence.h"
#include "diagnosis/failure/growthclock.h"
#include "diagnosis/failure/schedulerfailure.h"
#include "diagnosis/stall/stackgroups.h"
#include "launch/plan/launchplan.h"
#include "launch/plan/recorderfiles.h"
#include "run/record/growthmarks.h"
#include "run/record/runstate.h"

#include <QFileInfo>

#include <atomic>
#include <thread>

namespace rankdeck
{

namespace
{

/// Limit for ranks that logs name, since a log may say anything.
constexpr int mostRanks = 65536;

/// A log to read, and its evidence.
struct Source {
    std::size_t process; ///< Index in `Case`'s processes, in the order of the plan.
    QString path;
    QString marks;    ///< Beside it; empty: none.
    ByteOffset begin; ///< Begin of the present process's part.
    LogEvidence evidence;
    std::optional<Error> error;
};

/// A log of a launcher and perhaps of its ranks.
struct Console {
    std::size_t process;
    QString path;
    ConsoleEvidence evidence;
};

void readAll(std::vector<Source> &sources, const ErrorCatalogue &catalogue,
             const std::function<bool()> &isCancelled)
{
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t at = next++; at < sources.size(); at = next++) {
            Source &source = sources[at];
            const auto clock = source.marks.isEmpty() ? LogMerge::Growth() : growthClock(source.marks);
            auto evidence = readEvidence(source.path, catalogue, clock, isCancelled, source.begin);
            if (evidence)
                source.evidence = std::move(evidence.value());
            else
                source.error = evidence.error();
        }
    };
    const std::size_t threads =
        std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), sources.size());
    workTogether(std::max<std::size_t>(threads, 1) - 1, work);
}

/// Sorts errors from several files by time if all have one.
void mergeByTime(std::vector<ErrorLine> &errors)
{
    const bool areDated =
        std::ranges::all_of(errors, [](const ErrorLine &error) { return error.time.has_value(); });
    if (areDated)
        std::ranges::stable_sort(
            errors, [](const ErrorLine &one, const ErrorLine &other) { return *one.time < *other.time; });
}

std::optional<LogTime> earlier(std::optional<LogTime> one, std::optional<LogTime> other)
{
    return one && other ? std::min(*one, *other) : one ? one : other;
}

void add(RankEvidence &rank, const LogEvidence &log)
{
    rank.errors.insert(rank.errors.end(), log.errors.begin(), log.errors.end());
    rank.traces.insert(rank.traces.end(), log.traces.begin(), log.traces.end());
    rank.survivedErrors.insert(rank.survivedErrors.end(), log.survivedErrors.begin(),
                               log.survivedErrors.end());
    rank.survivedTraces.insert(rank.survivedTraces.end(), log.survivedTraces.begin(),
                               log.survivedTraces.end());
    if (log.stack)
        rank.stack = log.stack;
    rank.logBytes += log.bytes;
    rank.firstTime = earlier(rank.firstTime, log.firstTime);
    rank.lastTime = std::max(rank.lastTime, log.lastTime); // Nothing is less than any time.
}

/// A process that failed without any other error ended with the last one that it seemed to get over: its
/// lines may have been held in a buffer.
void takeSurvived(RankEvidence &rank)
{
    const bool hasFailed = rank.failedByItself() && rank.status &&
                           rank.status->kind == ExitStatus::Kind::Exited && !rank.status->isSuccess();
    if (!hasFailed || !rank.errors.empty())
        return;
    rank.errors = std::exchange(rank.survivedErrors, {});
    rank.traces = std::exchange(rank.survivedTraces, {});
}

class Gathering
{
public:
    Gathering(const RunState &state, const ErrorCatalogue &catalogue,
              const std::function<bool()> &isCancelled)
        : m_state(state)
        , m_catalogue(catalogue)
        , m_isCancelled(isCancelled)
    {
    }

    GatheredCase gather();

private:
    bool isSeenToFailFirst(const ProcessPlan &plan) const;
    RankEvidence begin(std::size_t process) const;
    void readConsoles();
    void takeConsole(const Console &console);
    void takeEnd(RankEvidence &rank, const ToldEnd &end) const;
    void giveRest(RankEvidence &rest, const LauncherWords &words);
    bool isConsole(const QString &path) const;
    void readLogs();
    void readPlogs();
    std::optional<std::size_t> processOf(const Source &plog) const;
    void readErrorFiles();
    void takeFacts(RankEvidence &rank, const LogEvidence &log);
    void takeScheduler(RankEvidence scheduler);
    void addConsole(RankEvidence rest);
    void readRecorders();
    void addMissing();

    const RunState &m_state;
    const ErrorCatalogue &m_catalogue;
    const std::function<bool()> &m_isCancelled;
    GatheredCase m_case;
    std::vector<Console> m_consoles;
    std::vector<RankEvidence> m_ranks;      ///< Parallel to the plan's processes.
    QHash<qint64, std::size_t> m_processes; ///< By pid.
    QByteArray m_rootServer;
};

/// Returns false for a log directory: nothing watched its processes.
bool Gathering::isSeenToFailFirst(const ProcessPlan &plan) const
{
    return m_state.failure && !hasLogsAlone(m_state.phase) && plan.role == Role::Worker &&
           m_state.failure->role == Role::Worker && m_state.failure->rank == plan.rank;
}

RankEvidence Gathering::begin(std::size_t process) const
{
    const ProcessPlan &plan = m_state.plan->processes[process];
    const RankState &state = m_state.ranks[process];
    RankEvidence rank;
    rank.process = int(process);
    rank.role = plan.role;
    rank.rank = plan.rank;
    rank.node = plan.node;
    rank.device = plan.device;
    rank.phase = state.phase;
    rank.status = state.status;
    rank.stopRequested = state.stopRequested;
    rank.endedBadly = state.endedBadlyByItself();
    // The supervisor may learn only later that this one failed before the others were stopped.
    if (isSeenToFailFirst(plan))
        rank.phase = RankPhase::Failed;
    if (state.ended.isValid())
        rank.ended = logTimeOf(state.ended);
    return rank;
}

bool Gathering::isConsole(const QString &path) const
{
    return std::ranges::any_of(m_consoles, [&](const Console &console) { return console.path == path; });
}

void Gathering::readConsoles()
{
    for (std::size_t process = 0; process < m_ranks.size(); ++process) {
        const ProcessPlan &plan = m_state.plan->processes[process];
        if (plan.role != Role::Console)
            continue;
        auto evidence = readConsole(plan.logFile, m_catalogue, m_isCancelled);
        if (evidence)
            m_consoles.push_back({process, plan.logFile, std::move(evidence.value())});
        else
            m_case.notes << Sentence(evidence.error().sentence());
    }
}

void Gathering::takeEnd(RankEvidence &rank, const ToldEnd &end) const
{
    rank.status = end.status;
    rank.isEndTold = true;
    rank.phase = RankPhase::Failed;
    // The launcher stopped this process because another one failed.
    rank.stopRequested = end.status.kind == ExitStatus::Kind::Signalled && end.status.number == SIGTERM;
    if (!rank.ended)
        rank.ended = end.time;
}

/// Assigns errors without a known rank to the rank that the launcher saw fail, if its exit stands out.
/// Several errors of one kind come from several ranks.
void Gathering::giveRest(RankEvidence &rest, const LauncherWords &words)
{
    std::vector<RankEvidence *> wordless;
    for (RankEvidence &rank : m_ranks) {
        if (rank.role == Role::Worker && rank.status && !rank.stopRequested && rank.errors.empty())
            wordless.push_back(&rank);
    }
    const auto hasExited = [](const RankEvidence *rank) {
        return rank->status->kind == ExitStatus::Kind::Exited;
    };
    // Of an error of its own a process exits; one that lost it may abort.
    const bool isOnlyExit = rest.heaviestError()->layer >= ErrorEntry::Layer::Own &&
                            std::ranges::count_if(wordless, hasExited) == 1;
    const auto first = std::ranges::find_if(wordless, [&](const RankEvidence *rank) {
        return isOnlyExit ? hasExited(rank) : wordless.size() == 1 || words.first() == rank->rank.value;
    });
    const auto hasWords = [&](const ExitStatus &end) { // A process that aborts has said why.
        return end.kind == ExitStatus::Kind::Exited ||
               (wordless.size() == 1 && end == ExitStatus{ExitStatus::Kind::Signalled, SIGABRT});
    };
    if (first == wordless.end() || rest.heaviestError()->layer == ErrorEntry::Layer::Wait ||
        !hasWords(*(*first)->status) || sameErrors(rest) > 1)
        return;
    if (!std::ranges::all_of(wordless, [&](const RankEvidence *rank) {
            const bool isLater = rank->ended && (*first)->ended && *(*first)->ended < *rank->ended;
            return rank == *first || (*first)->status != rank->status || isLater;
        }))
        return;
    (*first)->isGuessed = true;
    (*first)->errors = std::exchange(rest.errors, {});
    (*first)->traces = std::exchange(rest.traces, {});
}

void Gathering::takeConsole(const Console &console)
{
    const ConsoleEvidence &evidence = console.evidence;
    bool isSplit = !evidence.ranks.empty();
    if (evidence.failedAttempts > 0)
        m_case.notes << Sentence::tr("%n earlier attempts failed; the ranks were started again.",
                                     "An earlier attempt failed; the ranks were started again.",
                                     evidence.failedAttempts);
    for (RankEvidence &rank : m_ranks) {
        const ProcessPlan &plan = m_state.plan->processes[std::size_t(rank.process)];
        if (rank.role != Role::Worker)
            continue;
        const auto lines = evidence.ranks.find(plan.localRank.value);
        isSplit = isSplit || plan.logFile == console.path;
        if (plan.logFile == console.path && lines != evidence.ranks.end()) {
            add(rank, lines->second);
            takeFacts(rank, lines->second);
        }
        if (const auto end = evidence.words.ends().find(rank.rank.value); end != evidence.words.ends().end())
            takeEnd(rank, end->second);
    }
    for (const auto &[pid, end] : evidence.words.endsByPid()) {
        if (const auto process = m_processes.constFind(pid); process != m_processes.cend())
            takeEnd(m_ranks[*process], end);
    }
    if (!m_case.evidence.seenFirst && evidence.words.ends().size() > 1)
        m_case.evidence.seenFirst = evidence.words.first();
    // Ranks that have logs of their own say there what happened to them.
    const bool areAlone = std::ranges::none_of(
        m_ranks, [](const RankEvidence &rank) { return rank.role != Role::Console && rank.logBytes > 0; });
    if (!isSplit && !areAlone)
        return;
    RankEvidence &rest = m_ranks[console.process];
    add(rest, evidence.rest);
    takeFacts(rest, evidence.rest);
    if (rest.firstError())
        giveRest(rest, evidence.words);
}

void Gathering::readLogs()
{
    const bool areOurs = !hasLogsAlone(m_state.phase);
    const QString marks =
        areOurs ? growthFolder(m_state.directory, *m_state.plan, m_state.attempt) : QString();
    std::vector<Source> sources;
    for (std::size_t process = 0; process < m_ranks.size(); ++process) {
        const ProcessPlan &plan = m_state.plan->processes[process];
        const LogLengths &begin = m_state.ranks[process].begin;
        const auto addFile = [&](const QString &path, bool isError) {
            if (!path.isEmpty() && !isConsole(path) && QFileInfo(path).isFile())
                sources.push_back({process,
                                   path,
                                   areOurs ? marksFile(marks, int(process), isError) : QString(),
                                   ByteOffset(isError ? begin.error : begin.log),
                                   {},
                                   {}});
        };
        addFile(plan.stderrFile, true);
        addFile(plan.logFile, false);
    }
    readAll(sources, m_catalogue, m_isCancelled);
    for (const Source &source : sources) {
        if (source.error)
            m_case.notes << Sentence(source.error->sentence());
        add(m_ranks[source.process], source.evidence);
        takeFacts(m_ranks[source.process], source.evidence);
        for (const qint64 pid : source.evidence.pids)
            m_processes.insert(pid, source.process);
    }
    for (std::size_t process = 0; process < m_ranks.size(); ++process) {
        if (m_state.ranks[process].pid > 0)
            m_processes.insert(m_state.ranks[process].pid, process);
    }
}

std::optional<std::size_t> Gathering::processOf(const Source &plog) const
{
    if (!plog.evidence.facts.rank)
        return std::nullopt;
    const auto found = std::ranges::find_if(m_ranks, [&](const RankEvidence &rank) {
        return rank.role == Role::Worker && rank.rank.value == *plog.evidence.facts.rank;
    });
    if (found == m_ranks.end())
        return std::nullopt;
    return std::size_t(found - m_ranks.begin());
}

/// Reads plogs. A plog is a rank's by its pid or, in a log directory, if the logs of its pid name the rank.
void Gathering::readPlogs()
{
    const bool areLogsAlone = hasLogsAlone(m_state.phase);
    std::vector<Source> sources;
    std::vector<qint64> pids;
    const QStringList directories = plogDirectories(m_state);
    for (const QString &directory : directories) {
        for (const Plog &plog : findPlogs(directory)) {
            const auto process = m_processes.constFind(plog.pid);
            const bool isKnown = process != m_processes.cend();
            const bool isOfTheTime = areLogsAlone || QFileInfo(plog.path).lastModified() >= m_state.created;
            if (!isOfTheTime || (!isKnown && !areLogsAlone))
                continue;
            sources.push_back({isKnown ? *process : m_ranks.size(), plog.path, {}, {}, {}, {}});
            pids.push_back(plog.pid);
        }
    }
    readAll(sources, m_catalogue, m_isCancelled);
    for (std::size_t at = 0; at < sources.size(); ++at) {
        const auto process = sources[at].process < m_ranks.size() ? std::nullopt : processOf(sources[at]);
        if (process)
            m_processes.insert(pids[at], *process);
    }
    for (std::size_t at = 0; at < sources.size(); ++at) {
        const auto process = m_processes.constFind(pids[at]);
        if (process == m_processes.cend())
            continue;
        // Only the size of the log itself counts.
        LogEvidence evidence = sources[at].evidence;
        evidence.bytes = 0;
        add(m_ranks[*process], evidence);
        takeFacts(m_ranks[*process], evidence);
    }
}

void Gathering::readErrorFiles()
{
    for (RankEvidence &rank : m_ranks) {
        const QString path = writtenFiles(m_state.plan->processes[std::size_t(rank.process)]).at(2);
        rank.errorFile = path.isEmpty() ? std::nullopt : readErrorFile(path);
        if (!rank.errorFile || !rank.errors.empty())
            continue;
        const QString &message = rank.errorFile->message;
        const LineSigns signs = m_catalogue.signsOf(message.toStdString());
        ErrorLine error;
        error.file = path;
        error.line = LineNumber(-1);
        error.text = message;
        error.layer = signs.entry ? signs.entry->layer : ErrorEntry::Layer::Own;
        error.entryId = signs.entry ? signs.entry->id : QString();
        error.weight = signs.entry ? signs.entry->weight : 0;
        error.peers = namedPeers(message.toUtf8());
        rank.errors.push_back(error);
    }
}

void Gathering::takeFacts(RankEvidence &rank, const LogEvidence &log)
{
    const RankFacts &facts = log.facts;
    if (facts.connectTimeout)
        m_case.evidence.connectTimeout = *facts.connectTimeout;
    if (facts.device && rank.device == ProcessPlan::noDevice)
        rank.device = DeviceId(*facts.device);
    if (!facts.server.isEmpty())
        rank.server = facts.server;
    if (!facts.rootServer.isEmpty())
        m_rootServer = facts.rootServer;
    m_case.evidence.worldSize = std::max(m_case.evidence.worldSize, facts.worldSize.value_or(0));
}

void Gathering::takeScheduler(RankEvidence scheduler)
{
    const SchedulerLog log =
        readSchedulerLog(m_state.plan->processes[std::size_t(scheduler.process)].logFile);
    m_case.evidence.absent = log.absent();
    m_case.evidence.worldSize = std::max(m_case.evidence.worldSize, log.expected);
    m_case.evidence.scheduler = std::move(scheduler);
}

void Gathering::addConsole(RankEvidence rest)
{
    const auto power = [](const RankEvidence &log) {
        return log.heaviestError() ? log.heaviestError()->power() : -1;
    };
    std::optional<RankEvidence> &console = m_case.evidence.console;
    if (!console || power(*console) < power(rest))
        console = std::move(rest);
}

void Gathering::readRecorders()
{
    m_case.notes << cannTraceNotes(cannTracesOf(m_state), *m_state.plan);
    if (hasLogsAlone(m_state.phase) || !m_state.recordedPlan)
        return;
    const auto dumps =
        readRecorderDumps(writtenRecorderFolder(m_state.directory, *m_state.recordedPlan, m_state.attempt));
    if (dumps)
        m_case.evidence.collectives = reportCollectives(*dumps);
}

/// Returns where the main thread of a rank is, in stacks as faulthandler writes them. If it waits for a
/// process that loads its data, and that one is in the user's program, it is there.
static std::optional<PythonTrace> mainThread(const QString &stacks)
{
    std::optional<PythonTrace> main;
    PythonTrace thread;
    int processes = 0;
    const auto waitsForLoader = [&] {
        return std::ranges::any_of(main->lines, [](const QString &line) {
            return line.contains("/torch/utils/data/dataloader.py\""_L1);
        });
    };
    const auto take = [&] {
        const QString outermost = thread.lines.value(thread.lines.size() - 1);
        const bool isProgram =
            outermost.endsWith("in <module>"_L1) || outermost.endsWith("in _run_module_as_main"_L1);
        const bool isOther = outermost.contains("/threading.py\""_L1);
        if (processes == 1 && thread.userFrame && !isOther && (!main || isProgram))
            main = thread;
        thread = {};
    };
    for (const QString &line : stacks.split('\n'_L1)) {
        const bool isProcess = !line.startsWith(' '_L1) && line.contains(", process "_L1);
        if (isProcess || line.isEmpty() || line.contains("(most recent call first)"_L1))
            take();
        processes += isProcess ? 1 : 0;
        if (!line.isEmpty())
            thread.add(line);
        const bool isLoader = processes > 1 && line.endsWith("in _worker_loop"_L1);
        if (isLoader && thread.isInUserCode && main && waitsForLoader())
            main->userFrame = thread.userFrame;
    }
    take();
    return main;
}

/// Adds ranks that other logs name but whose logs are missing.
void Gathering::addMissing()
{
    std::vector<RankEvidence> &workers = m_case.evidence.workers;
    if (!hasLogsAlone(m_state.phase) || workers.empty())
        return;
    std::set<int> wanted;
    for (int rank = 0; rank < std::min(m_case.evidence.worldSize, mostRanks); ++rank)
        wanted.insert(rank);
    const NodeLayout layout(m_state.plan->rankTable, workers, m_rootServer);
    for (const RankEvidence &worker : workers) {
        const NamedPeers peers = worker.peers();
        wanted.insert(peers.ranks.begin(), peers.ranks.end());
        for (const PeerPlace &place : peers.places) {
            if (const auto rank = layout.likelyRankAt(place))
                wanted.insert(*rank);
        }
    }
    // A gap in the numbers from 0 on is a rank, too; many gaps are another way of counting, or some of the
    // logs.
    const int greatest = std::ranges::max(workers, {}, &RankEvidence::rank).rank.value;
    const int gaps = greatest + 1 - int(workers.size());
    if (gaps <= int(workers.size() / 2) || (gaps == 1 && !m_consoles.empty())) {
        for (int rank = 0; rank < greatest; ++rank)
            wanted.insert(rank);
    }
    for (const RankEvidence &worker : workers)
        wanted.erase(worker.rank.value);
    for (const int rank : wanted) {
        RankEvidence missing;
        missing.rank = Rank(rank);
        workers.push_back(missing);
    }
    std::ranges::sort(workers, {}, &RankEvidence::rank);
    if (!wanted.empty())
        m_case.notes << Sentence::tr("Other logs mention %n ranks whose logs are missing here.",
                                     "Other logs mention %n rank whose log is missing here.",
                                     int(wanted.size()));
}

GatheredCase Gathering::gather()
{
    for (std::size_t process = 0; process < m_state.ranks.size(); ++process) {
        m_ranks.push_back(begin(process));
        if (isSeenToFailFirst(m_state.plan->processes[process]))
            m_case.evidence.seenFirst = m_ranks.back().rank.value;
    }
    readConsoles();
    readLogs();
    for (const Console &console : m_consoles)
        takeConsole(console);
    readPlogs();
    for (RankEvidence &rank : m_ranks) {
        takeSurvived(rank);
        mergeByTime(rank.errors);
    }
    readErrorFiles();
    for (RankEvidence &rank : m_ranks) {
        if (rank.role == Role::Scheduler)
            takeScheduler(std::move(rank));
        else if (rank.role == Role::Console)
            addConsole(std::move(rank));
        else
            m_case.evidence.workers.push_back(std::move(rank));
    }
    std::ranges::stable_sort(m_case.evidence.workers, {}, &RankEvidence::rank); // Found in any order.
    addMissing();
    readRecorders();
    const auto &stall = m_state.stall ? m_state.stall : m_state.endStall;
    if (stall && !stall->silentSince.isEmpty() && !m_state.failure && m_state.phase != RunPhase::Succeeded)
        m_case.evidence.stall = stall;
    if (m_case.evidence.stall) {
        QList<StackDump> dumps = lastDumps(m_state.dumps);
        dumps.removeIf([&](const StackDump &dump) { // It was somewhere else then.
            return dump.time.toMSecsSinceEpoch() < stall->silentSince.value(dump.process);
        });
        for (const DumpedStacks &dump : readStacks(m_state.directory, dumps)) {
            const auto rank =
                std::ranges::find(m_case.evidence.workers, dump.process, &RankEvidence::process);
            if (rank != m_case.evidence.workers.end())
                rank->stack = mainThread(dump.text);
        }
    }
    const auto layout =
        std::make_shared<NodeLayout>(m_state.plan->rankTable, m_case.evidence.workers, m_rootServer);
    m_case.evidence.rankAt = [layout](const PeerPlace &place) {
        return layout->rankAt(place);
    };
    return std::move(m_case);
}

} // namespace

GatheredCase gatherCase(const RunState &state, const ErrorCatalogue &catalogue,
                        const std::function<bool()> &isCancelled)
{
    return Gathering(state, catalogue, isCancelled).gather();
}

} // namespace rankdeck
