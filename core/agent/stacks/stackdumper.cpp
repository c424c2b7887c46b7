#include "agent/stacks/stackdumper.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

/// Each takes a core, and the training has better use for them.
constexpr std::size_t mostAtOnce = 4;

bool contains(const auto &jobs, int process)
{
    return std::any_of(jobs.begin(), jobs.end(),
                       [&](const auto &job) { return job->rank().process == process; });
}

} // namespace

void StackDumper::dump(const std::vector<StackJob::Rank> &ranks, int dumpSignal)
{
    const StackTools tools = StackTools::inPath(qEnvironmentVariable("PATH"));
    for (const StackJob::Rank &rank : ranks) {
        if (contains(m_waiting, rank.process) || contains(m_running, rank.process))
            continue;
        auto job = std::make_unique<StackJob>(rank, tools, dumpSignal);
        connect(job.get(), &StackJob::toolStarted, this, &StackDumper::toolStarted);
        connect(job.get(), &StackJob::toolEnded, this, &StackDumper::toolEnded);
        connect(job.get(), &StackJob::finished, this,
                [this, job = job.get()](const QString &stacks, const QString &problem) {
                    finish(job, stacks, problem);
                });
        m_waiting.push_back(std::move(job));
    }
    startSome();
}

void StackDumper::startSome()
{
    while (m_running.size() < mostAtOnce && !m_waiting.empty()) {
        m_running.push_back(std::move(m_waiting.front()));
        m_waiting.pop_front();
        // It may finish at once.
        QMetaObject::invokeMethod(m_running.back().get(), &StackJob::start, Qt::QueuedConnection);
    }
}

void StackDumper::finish(StackJob *job, const QString &stacks, const QString &problem)
{
    RunEvent event = RunEvent::now(RunEvent::Kind::StacksDumped, problem);
    event.process = job->rank().process;
    event.pid = job->rank().pid;
    event.stacks = stacks;
    const auto found = std::find_if(m_running.begin(), m_running.end(),
                                    [&](const auto &running) { return running.get() == job; });
    found->release()->deleteLater();
    m_running.erase(found);
    startSome();
    Q_EMIT happened(event);
}

} // namespace rankdeck
