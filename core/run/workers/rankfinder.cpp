#include "run/workers/rankfinder.h"

#include "base/regularfile.h"
#include "base/username.h"
#include "run/strays/leftovers.h"
#include "run/workers/worker.h"

#include <QElapsedTimer>

#include <unistd.h>

namespace rankdeck
{

/// Between two looks; more on a machine with so many processes that a look takes long.
constexpr int findMs = 1000;
constexpr int findMsPerMs = 50;
/// A rank opens its log some time after it has started.
constexpr int looksForLog = 5;

bool isStill(const ProcessInfo &process)
{
    const auto now = readProcess(process.pid);
    return now && now->startTime == process.startTime && now->state != 'Z';
}

RankGround RankGround::below(const ProcessPlan &console)
{
    const pid_t self = getpid();
    const QProcessEnvironment inherited = environmentFor(console, QProcessEnvironment::systemEnvironment());
    const QString mark = QLatin1String(runFileVariable);
    const auto marked = std::make_shared<MarkedProcesses>(mark, inherited.value(mark));
    const auto tree = [self, marked] {
        std::vector<ProcessInfo> all = descendants(self);
        std::set<pid_t> known;
        for (const ProcessInfo &process : all)
            known.insert(process.pid);
        for (const ProcessInfo &process : marked->look()) {
            if (!known.contains(process.pid))
                all.push_back(process);
        }
        return all;
    };
    return {self, tree, [](const ProcessInfo &process) { return startEnvironment(process.pid); }, inherited,
            console.logFile};
}

RankFinder::RankFinder(RankGround ground)
    : m_ground(std::move(ground))
    , m_search(m_ground.inherited)
{
    connect(&m_timer, &QTimer::timeout, this, &RankFinder::look);
}

void RankFinder::start()
{
    m_timer.start(findMs);
}

bool RankFinder::looksAlive()
{
    look();
    return std::ranges::any_of(m_found, [](const auto &each) { return isStill(each.second.process); });
}

/// How an orphan of this process ended is known once it has been reaped.
bool RankFinder::isLeft(const ProcessInfo &process, const std::vector<ProcessInfo> &tree) const
{
    const pid_t self = getpid();
    if (m_ground.root != self) // A rank may have outlived its launcher.
        return isStill(process);
    const auto now = std::ranges::find_if(tree, [&](const ProcessInfo &each) {
        return each.pid == process.pid && each.startTime == process.startTime;
    });
    return now != tree.end() && (now->state != 'Z' || now->parent == self);
}

void RankFinder::look()
{
    QElapsedTimer time;
    time.start();
    const std::vector<ProcessInfo> tree = m_ground.tree();
    const auto ranks = m_search.look(tree, m_ground.root, m_ground.environmentOf);
    for (auto found = m_found.begin(); found != m_found.end();) {
        const ProcessInfo &process = found->second.process;
        if (!isLeft(process, tree)) {
            tellEnd(found->second);
            found = m_found.erase(found);
            continue;
        }
        const int index = found->second.index;
        const qint64 ms = QDateTime::currentMSecsSinceEpoch();
        const auto now = index < 0 ? std::nullopt : readProcess(process.pid);
        if (const auto event = now ? m_holds.take(index, process.pid, now->state, ms) : std::nullopt)
            Q_EMIT happened(*event);
        ++found;
    }
    for (const auto &[number, rank] : ranks) {
        const auto known = m_found.find(number);
        const bool isNew = known == m_found.end() || known->second.process.pid != rank.process.pid;
        const bool hasOwnLog =
            !isNew && !known->second.plan.logFile.isEmpty() && known->second.plan.console != Streams::Out;
        if (isNew || (!hasOwnLog && ++known->second.looks % looksForLog == 0))
            tell(rank);
    }
    m_timer.start(std::max(findMs, findMsPerMs * static_cast<int>(time.elapsed())));
    Q_EMIT looked();
}

void RankFinder::tell(const RankSearch::Rank &rank)
{
    const pid_t pid = rank.process.pid;
    const ProcessPlan plan = foundPlan(rank, startEnvironment(pid), m_ground.ownLog);
    if (plan.argv.isEmpty())
        return; // It has ended meanwhile.
    const auto known = m_found.find(rank.words.rank);
    if (known != m_found.end() && known->second.process.pid == pid) {
        if (plan.logFile.isEmpty() || plan.logFile == known->second.plan.logFile)
            return;
        known->second.plan = plan;
    } else {
        m_found[rank.words.rank] = {rank.process, -1, {}, plan, 0};
    }
    Q_EMIT happened(RunEvent::now(events::RankFound{pid, processText(plan)}));
}

void RankFinder::tellEnd(const Found &found)
{
    if (found.index < 0)
        return;
    ExitStatus status = found.status.value_or(ExitStatus{ExitStatus::Kind::Unknown, 0});
    m_sent.explain(found.index, status);
    m_holds.forget(found.index);
    Q_EMIT happened(RunEvent::now(events::ProcessExited{found.index, found.process.pid, status}));
}

void RankFinder::name(int process, const ProcessPlan &plan, qint64 pid)
{
    const auto found = m_found.find(plan.rank.value);
    const bool isThere = found != m_found.end() && found->second.process.pid == pid;
    if (isThere && found->second.index == process)
        return; // It only has another log.
    Q_EMIT happened(RunEvent::now(events::ProcessStarted{process, pid}));
    if (isThere)
        found->second.index = process;
    else if (found == m_found.end()) // It ended before it had a name.
        Q_EMIT happened(
            RunEvent::now(events::ProcessExited{process, pid, ExitStatus{ExitStatus::Kind::Unknown, 0}}));
}

const RankFinder::Found *RankFinder::named(int process) const
{
    const auto found =
        std::ranges::find_if(m_found, [&](const auto &each) { return each.second.index == process; });
    return process < 0 || found == m_found.end() ? nullptr : &found->second;
}

qint64 RankFinder::pidOf(int process) const
{
    const Found *found = named(process);
    return found && isStill(found->process) ? found->process.pid : 0;
}

std::vector<ProcessInfo> RankFinder::ranks() const
{
    std::vector<ProcessInfo> living;
    for (const auto &[rank, found] : m_found)
        living.push_back(found.process);
    return living;
}

void RankFinder::end(const QList<int> &processes, bool kill, int graceSeconds)
{
    for (const int process : processes) {
        const Found *found = named(process);
        if (!found || !isStill(found->process))
            continue;
        const ProcessInfo ended = found->process;
        ::kill(ended.pid, kill ? SIGKILL : SIGTERM);
        ::kill(ended.pid, SIGCONT);
        if (!kill)
            QTimer::singleShot(std::chrono::seconds(graceSeconds), this, [ended] {
                if (isStill(ended))
                    ::kill(ended.pid, SIGKILL);
            });
    }
}

void RankFinder::takeEnd(const ProcessInfo &process, const ExitStatus &status)
{
    for (auto &[rank, found] : m_found) {
        if (found.process.pid == process.pid && found.process.startTime == process.startTime)
            found.status = status;
    }
}

void RankFinder::finish()
{
    m_timer.stop();
    for (const auto &[rank, found] : std::exchange(m_found, {}))
        tellEnd(found);
}

std::vector<ProcessInfo> MarkedProcesses::look()
{
    decltype(m_known) known;
    std::vector<ProcessInfo> found;
    for (const pid_t pid : allPids()) {
        const auto process = readProcess(pid);
        if (!process)
            continue;
        const std::tuple key(pid, process->startTime, process->name);
        const auto before = m_known.find(key);
        bool isMarked = before != m_known.end() && before->second;
        if (before == m_known.end()) {
            const QByteArray environment = '\0' + fileContent(u"/proc/%1/environ"_s.arg(pid));
            isMarked = ownerOf(pid) == geteuid() && environment.contains(m_mark);
        }
        known.emplace(key, isMarked);
        if (isMarked)
            found.push_back(*process);
    }
    m_known = std::move(known);
    return found;
}

} // namespace rankdeck
