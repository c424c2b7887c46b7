#include "run/noderun.h"

#include "launch/hooks.h"

namespace rankdeck
{

namespace
{

/// A daemon that a hook left running is nobody's child, but it still has the hook's environment.
bool isOfHook(const ProcessInfo &process)
{
    return wasStartedWith(process.pid, hookVariable);
}

} // namespace

NodeRun::NodeRun(LaunchPlan plan, QString node, QObject *parent)
    : QObject(parent)
    , m_plan(std::move(plan))
    , m_node(std::move(node))
{
}

void NodeRun::start()
{
    if (m_plan.before.empty()) {
        startWorkers();
        return;
    }
    m_before = std::make_unique<HookSequence>(m_plan.before, HookSequence::When::Before);
    connect(m_before.get(), &HookSequence::happened, this, &NodeRun::report);
    connect(m_before.get(), &HookSequence::finished, this,
            [this](bool ok) { ok ? startWorkers() : startAfter(); });
    m_before->start();
}

void NodeRun::startWorkers()
{
    m_stage = Stage::Workers;
    WorkerGroup::StrayFilter isOfWorkers;
    if (!m_plan.before.empty())
        isOfWorkers = [](const ProcessInfo &process) {
            return !isOfHook(process);
        };
    m_workers = std::make_unique<WorkerGroup>(m_plan, m_node, isOfWorkers);
    connect(m_workers.get(), &WorkerGroup::happened, this, &NodeRun::report);
    connect(m_workers.get(), &WorkerGroup::printed, this, &NodeRun::printed);
    connect(m_workers.get(), &WorkerGroup::done, this, &NodeRun::startAfter);
    spareIn(*m_workers);
    m_workers->start();
    m_workers->endWorkers(m_unwanted, true);
}

void NodeRun::startAfter()
{
    m_stage = Stage::After;
    const bool hasTime = m_end < NodeEnd::Stop || (m_end == NodeEnd::Stop && m_plan.graceSeconds > 0);
    if (!hasTime && !m_plan.after.empty()) {
        RunEvent event = RunEvent::now(RunEvent::Kind::Note);
        event.text = tr("What was to run after the launch is not run: there is no time for it.");
        report(event);
    }
    if (!hasTime || m_plan.after.empty()) {
        startRest();
        return;
    }
    m_after = std::make_unique<HookSequence>(m_plan.after, HookSequence::When::After);
    connect(m_after.get(), &HookSequence::happened, this, &NodeRun::report);
    connect(m_after.get(), &HookSequence::finished, this, &NodeRun::startRest);
    limitAfter();
    m_after->start();
}

void NodeRun::limitAfter()
{
    if (m_end >= NodeEnd::Abandon)
        m_after->kill();
    else if (m_end == NodeEnd::Stop)
        m_after->limit(m_plan.graceSeconds);
}

void NodeRun::startRest()
{
    m_stage = Stage::Rest;
    if (m_plan.before.empty() && m_plan.after.empty()) {
        finish();
        return;
    }
    LaunchPlan nothing;
    nothing.graceSeconds = m_plan.graceSeconds;
    WorkerGroup::StrayFilter isOurs;
    if (!m_plan.destroyWhenFinished)
        isOurs = isOfHook;
    m_rest = std::make_unique<WorkerGroup>(nothing, m_node, isOurs);
    connect(m_rest.get(), &WorkerGroup::happened, this, &NodeRun::report);
    connect(m_rest.get(), &WorkerGroup::done, this, &NodeRun::finish);
    spareIn(*m_rest);
    m_rest->start();
    if (m_end >= NodeEnd::Abandon)
        m_rest->kill();
}

void NodeRun::end(NodeEnd how)
{
    if (how <= m_end)
        return;
    m_end = how;
    switch (m_stage) {
    case Stage::Before:
        if (how >= NodeEnd::Abandon)
            m_before->kill();
        else
            m_before->tearDown(m_plan.graceSeconds);
        break;
    case Stage::Workers:
        if (how == NodeEnd::Kill)
            m_workers->kill();
        else
            m_workers->tearDown();
        break;
    case Stage::After:
        limitAfter();
        break;
    case Stage::Rest:
        if (m_rest && how >= NodeEnd::Abandon)
            m_rest->kill();
        break;
    }
}

void NodeRun::endProcesses(const QList<int> &processes, bool kill)
{
    if (m_stage == Stage::Before)
        m_unwanted += processes;
    else if (m_stage == Stage::Workers)
        m_workers->endWorkers(processes, kill);
}

bool NodeRun::sendSignal(int process, int number)
{
    return m_stage == Stage::Workers && m_workers->sendSignal(process, number);
}

qint64 NodeRun::pidOf(int process) const
{
    return m_stage == Stage::Workers ? m_workers->pidOf(process) : 0;
}

void NodeRun::spare(qint64 pid)
{
    m_spared.insert(pid);
    for (const auto &group : {m_workers.get(), m_rest.get()}) {
        if (group)
            group->spare(pid);
    }
}

void NodeRun::spareNoMore(qint64 pid)
{
    m_spared.erase(pid);
    for (const auto &group : {m_workers.get(), m_rest.get()}) {
        if (group)
            group->spareNoMore(pid);
    }
}

void NodeRun::spareIn(WorkerGroup &group) const
{
    for (const qint64 pid : m_spared)
        group.spare(pid);
}

void NodeRun::type(const TerminalInput &input)
{
    if (m_stage == Stage::Workers)
        m_workers->type(input);
}

void NodeRun::childEnded()
{
    for (const auto &group : {m_workers.get(), m_rest.get()}) {
        if (group)
            group->childEnded();
    }
}

void NodeRun::finish()
{
    report(RunEvent::now(RunEvent::Kind::NodeDone));
    Q_EMIT done();
}

void NodeRun::report(RunEvent event)
{
    event.node = m_node;
    Q_EMIT happened(event);
}

} // namespace rankdeck
