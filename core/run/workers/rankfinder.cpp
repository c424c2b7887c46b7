#include "run/workers/rankfinder.h"

#include "run/strays/leftovers.h"

#include <QElapsedTimer>

#include <csignal>

#include <unistd.h>

namespace rankdeck
{

/// Between two looks; more on a machine with so many processes that a look takes long.
constexpr int findMs = 1000;
constexpr int findMsPerMs = 50;

/// Returns what a command is started with.
static QProcessEnvironment environmentOf(const ProcessPlan &process)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString &name : process.removeVariables)
        environment.remove(name);
    for (auto it = process.setVariables.begin(); it != process.setVariables.end(); ++it)
        environment.insert(it.key(), it.value());
    return environment;
}

/// Returns true if the process is still there, and not another one that has got its pid.
static bool isStill(const ProcessInfo &process)
{
    const auto now = readProcess(process.pid);
    return now && now->startTime == process.startTime && now->state != 'Z';
}

RankFinder::RankFinder(const ProcessPlan &console, QObject *parent)
    : QObject(parent)
    , m_ownLog(console.logFile)
    , m_search(environmentOf(console))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &RankFinder::look);
}

void RankFinder::start()
{
    m_timer.start(findMs);
}

void RankFinder::look()
{
    QElapsedTimer time;
    time.start();
    const std::vector<ProcessInfo> tree = descendants(getpid());
    const auto ranks = m_search.look(
        tree, getpid(), [](const ProcessInfo &process) { return startEnvironment(process.pid); });
    for (auto found = m_found.begin(); found != m_found.end();) {
        const ProcessInfo &process = found->second.process;
        const auto now = std::ranges::find_if(tree, [&](const ProcessInfo &each) {
            return each.pid == process.pid && each.startTime == process.startTime;
        });
        // How an orphan ended is known once this process has reaped it.
        const bool isLeft = now != tree.end() && (now->state != 'Z' || now->parent == getpid());
        if (!isLeft) {
            tellEnd(found->second);
            found = m_found.erase(found);
            continue;
        }
        const int index = found->second.index;
        const qint64 ms = QDateTime::currentMSecsSinceEpoch();
        if (auto event = index < 0 ? std::nullopt : m_holds.take(index, now->state, ms)) {
            event->pid = process.pid;
            Q_EMIT happened(*event);
        }
        ++found;
    }
    for (const auto &[number, rank] : ranks) {
        const auto known = m_found.find(number);
        if (known == m_found.end() || known->second.process.pid != rank.process.pid)
            tell(rank);
    }
    m_timer.start(std::max(findMs, findMsPerMs * static_cast<int>(time.elapsed())));
}

void RankFinder::tell(const RankSearch::Rank &rank)
{
    const pid_t pid = rank.process.pid;
    const ProcessPlan plan = foundPlan(rank, startEnvironment(pid), m_ownLog);
    if (plan.argv.isEmpty())
        return; // It has ended meanwhile.
    m_found[rank.words.rank] = {rank.process, -1, {}};
    RunEvent event = RunEvent::now(RunEvent::Kind::RankFound, foundText(plan));
    event.pid = pid;
    Q_EMIT happened(event);
}

void RankFinder::tellEnd(const Found &found)
{
    if (found.index < 0)
        return;
    ExitStatus status = found.status.value_or(ExitStatus{ExitStatus::Kind::Unknown, 0});
    m_sent.explain(found.index, status);
    m_holds.forget(found.index);
    Q_EMIT happened(
        RunEvent::ofProcess(RunEvent::Kind::ProcessExited, found.index, found.process.pid, status));
}

void RankFinder::name(int process, const ProcessPlan &plan, qint64 pid)
{
    const auto found = m_found.find(plan.rank.value);
    const bool isThere = found != m_found.end() && found->second.process.pid == pid;
    Q_EMIT happened(RunEvent::ofProcess(RunEvent::Kind::ProcessStarted, process, pid));
    if (isThere)
        found->second.index = process;
    else if (found == m_found.end()) // It ended before it had a name.
        Q_EMIT happened(RunEvent::ofProcess(RunEvent::Kind::ProcessExited, process, pid,
                                            ExitStatus{ExitStatus::Kind::Unknown, 0}));
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

bool RankFinder::sendSignal(int process, int number)
{
    const qint64 pid = pidOf(process);
    if (pid == 0 || ::kill(static_cast<pid_t>(pid), number) != 0)
        return false;
    m_sent.note(process, number);
    Q_EMIT happened(RunEvent::ofProcess(RunEvent::Kind::SignalSent, process, pid,
                                        ExitStatus{ExitStatus::Kind::Signalled, number}));
    return true;
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

void RankFinder::takeEnd(qint64 pid, const ExitStatus &status)
{
    for (auto &[rank, found] : m_found) {
        if (found.process.pid == pid)
            found.status = status;
    }
}

void RankFinder::finish()
{
    m_timer.stop();
    for (const auto &[rank, found] : std::exchange(m_found, {}))
        tellEnd(found);
}

} // namespace rankdeck
