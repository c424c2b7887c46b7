#include "agent/supervise/foundranks.h"

#include <QDir>
#include <QElapsedTimer>

namespace rankdeck
{

/// Ranks that no process shows are only believed up to this number.
constexpr std::size_t mostTold = 4096;
/// A log that grows faster than it can be split must not keep the supervisor from its work.
constexpr int longestLookMs = 100;

FoundRanks::FoundRanks(RunBook &book)
    : m_book(book)
{
}

bool FoundRanks::hasBegun()
{
    if (!m_split)
        begin();
    return m_split && m_book.state().ranks[static_cast<std::size_t>(m_console)].phase != RankPhase::Waiting;
}

void FoundRanks::begin()
{
    const std::vector<ProcessPlan> &processes = m_book.state().plan->processes;
    const auto console = std::ranges::find(processes, Role::Console, &ProcessPlan::role);
    if (console == processes.end())
        return;
    const QString directory = m_book.directory() + u"/logs"_s;
    QDir().mkpath(directory);
    m_console = static_cast<int>(console - processes.begin());
    m_split = std::make_unique<SplitLog>(console->logFile, directory);
}

void FoundRanks::look()
{
    if (!hasBegun())
        return;
    QElapsedTimer time;
    time.start();
    do {
        note(m_split->step());
    } while (m_split->isBehind() && !time.hasExpired(longestLookMs));
    addTold();
}

/// Adds the ranks known only by their lines. Numbers with many gaps count something else.
void FoundRanks::addTold()
{
    const std::set<int> &told = m_split->ranks();
    if (told.size() == m_told || told.empty() || told.size() > mostTold ||
        *told.rbegin() >= 2 * static_cast<int>(told.size()))
        return;
    m_told = told.size();
    std::vector<ProcessPlan> ranks;
    for (const int rank : told) {
        if (knownIndex(rank) >= 0)
            continue;
        ProcessPlan plan;
        plan.rank = Rank(rank);
        plan.localRank = LocalRank(rank);
        plan.device = ProcessPlan::noDevice;
        ranks.push_back(plan);
    }
    if (ranks.empty() || !add(ranks))
        return;
    for (const ProcessPlan &rank : ranks)
        m_book.write(events::ProcessStarted{knownIndex(rank.rank.value)});
}

std::optional<int> FoundRanks::indexOf(const ProcessPlan &found)
{
    if (!m_split)
        begin();
    if (!m_split || found.rank.value < 0)
        return std::nullopt;
    const int known = knownIndex(found.rank.value);
    if (known < 0 && !add({found}))
        return std::nullopt;
    if (known >= 0)
        update(known, found);
    return knownIndex(found.rank.value);
}

/// Updates a rank: one known only by its lines now has a process, or a restarted one writes another log.
void FoundRanks::update(int index, const ProcessPlan &found)
{
    LaunchPlan plan = m_book.record().plan;
    ProcessPlan &known = plan.processes[static_cast<std::size_t>(index)];
    const bool hasOtherLog = !found.logFile.isEmpty() && found.logFile != known.logFile;
    if (!known.isFound || (!known.argv.isEmpty() && !hasOtherLog))
        return;
    ProcessPlan newer = found;
    newer.node = known.node;
    splitLogOf(newer);
    known = std::move(newer);
    replace(plan);
}

/// Gives a rank whose output has no file of its own the log split from the command's, which is printed
/// already; the rank may write another log itself.
void FoundRanks::splitLogOf(ProcessPlan &rank) const
{
    if (!rank.logFile.isEmpty()) {
        if (rank.console == Streams::Out && rank.stderrFile.isEmpty())
            rank.stderrFile = m_split->fileOf(rank.rank.value);
        return;
    }
    rank.logFile = m_split->fileOf(rank.rank.value);
    rank.console = Streams::None;
}

void FoundRanks::replace(const LaunchPlan &plan)
{
    m_book.replacePlan(plan);
    m_book.write(events::Planned());
    Q_EMIT planChanged();
}

bool FoundRanks::add(const std::vector<ProcessPlan> &ranks)
{
    // The indexes of tools follow those of the plan.
    if (!m_book.state().tools.empty()) {
        if (!std::exchange(m_hasComplained, true))
            m_book.note(Sentence::tr(
                "More ranks were found, but they are not shown: a tool was attached to a rank before."));
        return false;
    }
    LaunchPlan plan = m_book.record().plan;
    const ProcessPlan console = plan.processes[static_cast<std::size_t>(m_console)];
    for (ProcessPlan rank : ranks) {
        rank.role = Role::Worker;
        rank.isFound = true;
        rank.node = console.node;
        if (rank.workDir.isEmpty())
            rank.workDir = console.workDir;
        splitLogOf(rank);
        plan.processes.push_back(std::move(rank));
    }
    plan.totalRanks = static_cast<int>(std::ranges::count(plan.processes, Role::Worker, &ProcessPlan::role));
    replace(plan);
    return true;
}

std::optional<ToldEnd> FoundRanks::toldEnd(const LauncherWords &words, const ProcessPlan &plan,
                                           const RankState &state) const
{
    if (const auto end = words.ends().find(plan.rank.value); end != words.ends().end())
        return end->second;
    const auto byPid = words.endsByPid().find(state.pid);
    return byPid == words.endsByPid().end() ? std::nullopt : std::optional(byPid->second);
}

void FoundRanks::finish()
{
    if (!hasBegun())
        return;
    note(m_split->update());
    addTold();
    const RunState state = m_book.state();
    const LauncherWords words = readConsoleLog(m_split->path()).words;
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const RankState &rank = state.ranks[index];
        const bool isOpen = !rank.status && rank.phase != RankPhase::Waiting;
        const bool isUnseen = rank.status && rank.status->kind == ExitStatus::Kind::Unknown;
        const ProcessPlan &plan = state.plan->processes[index];
        // An adopted process may go on: its agent has reported each exit.
        if (!plan.isFound || plan.role == Role::Console || (!isOpen && !isUnseen) ||
            (isOpen && state.plan->adopted && rank.pid > 0))
            continue;
        const auto told = toldEnd(words, plan, rank);
        if (isUnseen && (!told || told->status.kind == ExitStatus::Kind::Unknown))
            continue;
        RunEvent event = RunEvent::now(
            events::ProcessExited{static_cast<int>(index), rank.pid,
                                  told ? told->status : ExitStatus{ExitStatus::Kind::Unknown, 0}});
        if (isUnseen)
            event.wall = rank.ended;
        m_book.write(event);
    }
}

void FoundRanks::note(const std::optional<Error> &error)
{
    if (error && !std::exchange(m_hasComplained, true))
        m_book.note(Sentence(error->sentence()));
}

} // namespace rankdeck
