#include "run/workers/adoptedrun.h"

#include "run/strays/leftovers.h"

#include <algorithm>
#include <csignal>

#include <unistd.h>

namespace rankdeck
{

/// Returns where the ranks of an adopted launcher are: below it, and what it was started with makes no rank.
static RankGround groundBelow(const ProcessInfo &launcher, const ProcessPlan &plan)
{
    return {launcher.pid,
            [launcher] { return isStill(launcher) ? descendants(launcher.pid) : std::vector<ProcessInfo>(); },
            [](const ProcessInfo &process) { return startEnvironment(process.pid); },
            startEnvironment(launcher.pid), plan.logFile};
}

/// Returns where the ranks of a job are: among its processes, whoever started them.
static RankGround groundOfJob(const QString &id, const ProcessPlan &plan)
{
    const auto processes = std::make_shared<MarkedProcesses>(u"SLURM_JOB_ID"_s, id);
    return {0,
            [processes] { return processes->look(); },
            [](const ProcessInfo &process) { return slurmTaskEnvironment(process.pid); },
            {},
            plan.logFile};
}

static RankGround groundOf(const LaunchPlan &plan, const ProcessInfo &top)
{
    const ProcessPlan &process = plan.processes.front();
    if (!plan.adopted->job.isEmpty())
        return groundOfJob(plan.adopted->job, process);
    RankGround ground = groundBelow(top, process);
    if (process.role == Role::Worker) // What a rank starts is no rank.
        ground.tree = [] {
            return std::vector<ProcessInfo>();
        };
    return ground;
}

std::vector<ProcessInfo> killedWith(const ProcessInfo &top, const std::vector<ProcessInfo> &ranks)
{
    std::vector<ProcessInfo> all;
    if (top.pid > 0) {
        all = descendants(top.pid);
        all.insert(all.begin(), top); // First, so that it starts no others.
    }
    for (const ProcessInfo &rank : ranks) {
        if (std::ranges::find(all, rank.pid, &ProcessInfo::pid) == all.end())
            all.push_back(rank);
    }
    std::set<pid_t> above = lineOf(getpid());
    for (const ProcessInfo &process : all) {
        if (isRankdeck(process)) // The command or window that asks for it, or another one.
            above.merge(lineOf(process.pid));
    }
    std::erase_if(all, [&](const ProcessInfo &process) {
        return process.pid == 1 || above.contains(process.pid) || isRankdeck(process) || !isStill(process);
    });
    return all;
}

AdoptedRun::AdoptedRun(const LaunchPlan &plan)
{
    m_top.pid = static_cast<pid_t>(plan.adopted->pid);
    m_top.startTime = plan.adopted->startTime;
    m_finder = std::make_unique<RankFinder>(groundOf(plan, m_top));
    connect(m_finder.get(), &RankFinder::happened, this, &AdoptedRun::happened);
    connect(m_finder.get(), &RankFinder::looked, this, &AdoptedRun::look);
    connect(&m_limit, &QTimer::timeout, this, &AdoptedRun::end);
    if (!plan.adopted->job.isEmpty())
        watchJob(plan.adopted->job);
}

void AdoptedRun::watchJob(const QString &id)
{
    m_job = std::make_unique<SlurmJobWatch>(id);
    connect(m_job.get(), &SlurmJobWatch::noted, this,
            [this](const Sentence &sentence) { Q_EMIT happened(RunEvent::now(events::Note{sentence})); });
    connect(m_job.get(), &SlurmJobWatch::started, this, &AdoptedRun::reportStart);
    connect(m_job.get(), &SlurmJobWatch::ended, this, &AdoptedRun::takeTopEnd);
}

void AdoptedRun::start()
{
    if (m_job)
        m_job->start();
    else
        reportStart();
    m_finder->start();
}

void AdoptedRun::look()
{
    const auto now = !m_job && isStill(m_top) ? readProcess(m_top.pid) : std::nullopt;
    if (!now && !m_job)
        takeTopEnd({ExitStatus::Kind::Unknown, 0});
    const qint64 ms = QDateTime::currentMSecsSinceEpoch();
    if (const auto event = now ? m_holds.take(0, m_top.pid, now->state, ms) : std::nullopt)
        Q_EMIT happened(*event);
    if (m_hasTopEnded && m_finder->ranks().empty())
        end();
}

void AdoptedRun::takeTopEnd(ExitStatus status)
{
    if (std::exchange(m_hasTopEnded, true))
        return;
    m_sent.explain(0, status);
    Q_EMIT happened(RunEvent::now(events::ProcessExited{0, m_top.pid, status}));
}

void AdoptedRun::kill()
{
    if (m_job) {
        m_job->cancel();
        return;
    }
    for (const ProcessInfo &process : killedWith(isStill(m_top) ? m_top : ProcessInfo(), m_finder->ranks()))
        ::kill(process.pid, SIGKILL);
    m_limit.start(unkillableAfter);
}

qint64 AdoptedRun::pidOf(int process) const
{
    if (isTop(process))
        return !m_job && isStill(m_top) ? m_top.pid : 0;
    return m_finder->pidOf(process);
}

SignalTarget AdoptedRun::targetOf(int process)
{
    return isTop(process) ? SignalTarget{pidOf(process), nullptr, &m_sent} : m_finder->targetOf(process);
}

void AdoptedRun::killProcesses(const QList<int> &processes)
{
    const bool isTopMeant = processes.contains(0) && !m_job && isStill(m_top);
    if (isTopMeant && std::ranges::count(killedWith(m_top, {}), m_top.pid, &ProcessInfo::pid) > 0)
        ::kill(m_top.pid, SIGKILL);
    m_finder->end(processes, true, 0);
}

void AdoptedRun::end()
{
    m_finder->stop();
    m_limit.stop();
    if (m_job)
        m_job->stop();
    if (!std::exchange(m_isDone, true))
        Q_EMIT done();
}

} // namespace rankdeck
