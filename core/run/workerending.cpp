#include "run/workerending.h"

#include "run/endingtimes.h"
#include "run/worker.h"

#include <csignal>

#include <unistd.h>

namespace rankdeck
{

namespace
{

/// How often to look while the worker takes its time to end: a look reads all of /proc …
constexpr int patientMs = 250;
/// … and once it has ended or is being killed.
constexpr int sweepMs = 20;

} // namespace

WorkerEnding::WorkerEnding(Worker &worker, QObject *parent)
    : QObject(parent)
    , m_worker(worker)
{
    m_grace.setSingleShot(true);
    m_grace.setTimerType(Qt::PreciseTimer);
    connect(&m_grace, &QTimer::timeout, this, &WorkerEnding::kill);
    m_sweepTimer.setSingleShot(true);
    connect(&m_sweepTimer, &QTimer::timeout, this, &WorkerEnding::sweep);
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
    m_sinceKill.start();
    signalAll();
}

void WorkerEnding::look()
{
    if (m_signal != 0 && !m_done)
        m_sweepTimer.start(0);
}

/// Everything below this process that is the worker's: orphans come back here.
std::vector<ProcessInfo> WorkerEnding::findMembers()
{
    const auto worker = static_cast<pid_t>(m_worker.pid());
    const std::vector<ProcessInfo> all = descendants(getpid());
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
                                  (known != m_known.end() && known->second == process.startTime);
            if (!isMember || !pids.insert(process.pid).second)
                continue;
            // A worker that is being started is still in this process's session.
            if (process.session != getsid(0))
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
    findMembers();
    m_worker.signalGroup(m_signal);
    m_worker.signalGroup(SIGCONT); // A stopped process sees SIGTERM only once it goes on.
    sweep();
}

void WorkerEnding::sweep()
{
    const bool givesUp = m_signal == SIGKILL && m_sinceKill.hasExpired(unkillableAfter.count());
    bool isAnyAlive = m_worker.isRunning();
    const std::vector<ProcessInfo> members = findMembers();
    for (const ProcessInfo &member : members) {
        const bool isOfGroup = m_worker.isRunning() && member.group == m_worker.pid();
        if (member.state == 'Z' || isOfGroup)
            continue;
        isAnyAlive = true;
        if (givesUp)
            Q_EMIT failedToKill(member);
        if (!m_told.emplace(member.pid, m_signal).second)
            continue;
        ::kill(member.pid, m_signal);
        ::kill(member.pid, SIGCONT);
        Q_EMIT signalled(member, m_signal);
    }
    m_done = !isAnyAlive || givesUp;
    if (m_done)
        m_grace.stop();
    else
        m_sweepTimer.start(m_worker.isRunning() && m_signal != SIGKILL ? patientMs : sweepMs);
}

} // namespace rankdeck
