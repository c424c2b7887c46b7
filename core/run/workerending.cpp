#include "run/workerending.h"

#include "run/endingtimes.h"
#include "run/leftovers.h"
#include "run/worker.h"

#include <csignal>

#include <unistd.h>

namespace rankdeck
{

namespace
{

std::vector<ProcessInfo> listChildren()
{
    std::vector<ProcessInfo> children;
    for (const pid_t pid : ownChildren()) {
        if (auto child = readProcess(pid))
            children.push_back(std::move(*child));
    }
    return children;
}

} // namespace

WorkerEnding::WorkerEnding(Worker &worker, ProcessPlan plan, QObject *parent)
    : QObject(parent)
    , m_worker(worker)
    , m_plan(std::move(plan))
{
    m_grace.setSingleShot(true);
    m_grace.setTimerType(Qt::PreciseTimer);
    connect(&m_grace, &QTimer::timeout, this, &WorkerEnding::kill);
    m_look.setSingleShot(true);
    connect(&m_look, &QTimer::timeout, this, [this] { sweep(Reach::Children); });
    m_deeper.setSingleShot(true);
    m_deeper.setInterval(lookDeeperAfter);
    connect(&m_deeper, &QTimer::timeout, this, [this] { sweep(Reach::Descendants); });
    m_unkillable.setSingleShot(true);
    m_unkillable.setInterval(unkillableAfter);
    connect(&m_unkillable, &QTimer::timeout, this, &WorkerEnding::giveUp);
    // SIGCHLD may be heard before the worker has heard of its own end.
    connect(&m_worker, &Worker::exited, this, &WorkerEnding::childEnded);
}

void WorkerEnding::stop(int graceSeconds)
{
    if (m_signal != 0)
        return;
    if (graceSeconds == 0) {
        kill();
        return;
    }
    m_signal = SIGTERM;
    m_grace.start(graceSeconds * 1000);
    signalAll();
}

void WorkerEnding::kill()
{
    if (m_signal == SIGKILL || m_done)
        return;
    m_signal = SIGKILL;
    m_grace.stop();
    m_unkillable.start();
    signalAll();
}

void WorkerEnding::childEnded()
{
    if (m_signal != 0 && !m_done)
        m_look.start(0); // Many may end at once.
}

/// What came here when its parent ended, out of a session that had not been seen.
bool WorkerEnding::isOrphanOfWorker(const ProcessInfo &process)
{
    const auto other = m_others.find(process.pid);
    if (process.parent != getpid() || (other != m_others.end() && other->second == process.startTime))
        return false;
    const QProcessEnvironment environment = startEnvironment(process.pid);
    if (hasVariablesOf(m_plan, environment))
        return true;
    // For a moment it cannot be seen, while the process loads a program: that deserves one more look.
    if (environment.isEmpty() && m_unclear.emplace(process.pid, process.startTime).second) {
        m_deeper.start();
        return false;
    }
    m_others[process.pid] = process.startTime;
    return false;
}

/// What is the worker's of what lives below this process, or only of its children.
std::vector<ProcessInfo> WorkerEnding::findMembers(Reach reach)
{
    const auto worker = static_cast<pid_t>(m_worker.pid());
    const pid_t ownSession = getsid(0);
    const std::vector<ProcessInfo> all = reach == Reach::Descendants ? descendants(getpid()) : listChildren();
    std::set<pid_t> sessions{worker};
    std::set<pid_t> pids;
    std::vector<ProcessInfo> members;
    // A session that is found late may hold processes that were passed over before.
    std::size_t before = 0;
    do {
        before = pids.size() + sessions.size();
        for (const ProcessInfo &process : all) {
            const auto known = m_known.find(process.pid);
            const bool isMember = process.pid == worker || sessions.contains(process.session) ||
                                  pids.contains(process.parent) ||
                                  (known != m_known.end() && known->second == process.startTime) ||
                                  isOrphanOfWorker(process);
            if (!isMember || !pids.insert(process.pid).second)
                continue;
            // A worker that is being started is still in this process's session.
            if (process.session != ownSession)
                sessions.insert(process.session);
            members.push_back(process);
        }
    } while (before != pids.size() + sessions.size());
    for (const ProcessInfo &member : members)
        m_known[member.pid] = member.startTime;
    return members;
}

void WorkerEnding::signalAll()
{
    // Before the worker can end and its children lose their parent.
    findMembers(Reach::Descendants);
    m_worker.signalGroup(m_signal);
    m_worker.signalGroup(SIGCONT); // A stopped process sees SIGTERM only once it goes on.
    m_deeper.start();
    sweep(Reach::Descendants);
}

/// What is started after a look is the child of a process that has been signalled, and comes here, with
/// SIGCHLD, when that one has ended.
void WorkerEnding::sweep(Reach reach)
{
    bool isAnyAlive = m_worker.isRunning();
    const std::vector<ProcessInfo> members = findMembers(reach);
    for (const ProcessInfo &member : members) {
        if (member.state == 'Z')
            continue;
        isAnyAlive = true;
        // It had the signal with the worker's group and may only be a little slower to end.
        const bool isEnding = member.group == m_worker.pid() && (m_worker.isRunning() || m_deeper.isActive());
        if (isEnding || !m_told.emplace(member.pid, m_signal).second)
            continue;
        ::kill(member.pid, m_signal);
        ::kill(member.pid, SIGCONT);
        Q_EMIT signalled(member, m_signal);
    }
    if (!isAnyAlive)
        finish();
}

void WorkerEnding::giveUp()
{
    const std::vector<ProcessInfo> members = findMembers(Reach::Descendants);
    for (const ProcessInfo &member : members) {
        if (member.state != 'Z')
            Q_EMIT failedToKill(member);
    }
    finish();
}

void WorkerEnding::finish()
{
    m_done = true;
    m_grace.stop();
    m_look.stop();
    m_deeper.stop();
    m_unkillable.stop();
}

} // namespace rankdeck
