#include "run/workers/noderun.h"

#include "launch/text/commandline.h"

#include <QDir>
#include <QFile>

namespace rankdeck
{

/// Returns the command as a sentence shows it, cut: a hook may be a whole script in one argument.
static QString commandText(const ProcessPlan &hook)
{
    constexpr int shown = 200;
    const QString line = joinCommandLine(hook.argv).simplified();
    return line.size() > shown ? line.left(shown) + u"…"_s : line;
}

/// The hooks of a list share a log: it says which of them printed what.
static void writeHeading(const ProcessPlan &hook)
{
    for (const QString &directory : hook.makeDirectories)
        QDir().mkpath(directory);
    QFile log(hook.logFile);
    if (log.open(QIODevice::Append))
        log.write("$ " + commandText(hook).toUtf8() + '\n');
}

/// A daemon that a hook left running has lost its parent, but it still has the hook's environment.
static bool isOfHook(const ProcessInfo &process)
{
    return wasStartedWith(process.pid, hookVariable);
}

HookSequence::HookSequence(std::vector<ProcessPlan> hooks, When when)
    : m_hooks(std::move(hooks))
    , m_when(when)
{
    connect(&m_limit, &QTimer::timeout, this, [this] { m_isKilled ? giveUp() : kill(); });
}

void HookSequence::next()
{
    m_worker.reset();
    if (m_isCutShort || m_index == m_hooks.size()) {
        m_limit.stop();
        Q_EMIT finished(!m_isCutShort);
        return;
    }
    writeHeading(current());
    m_worker = std::make_unique<Worker>(current(), QMap<QString, QString>());
    connect(m_worker.get(), &Worker::started, this, [this] {
        const Sentence text = m_when == When::Before
                                  ? Sentence::tr("Before the launch: %1. Its output is in %2.")
                                  : Sentence::tr("After the launch: %1. Its output is in %2.");
        report(events::HookStarted{m_worker->pid(), text.arg(commandText(current()), current().logFile)});
    });
    // Queued: the worker that says it has ended must not be deleted for the next.
    connect(
        m_worker.get(), &Worker::failedToStart, this,
        [this](int errorNumber, const QString &reason) {
            takeEnd({ExitStatus::Kind::NotStarted, errorNumber}, reason);
        },
        Qt::QueuedConnection);
    connect(
        m_worker.get(), &Worker::exited, this, [this](const ExitStatus &status) { takeEnd(status, {}); },
        Qt::QueuedConnection);
    m_worker->start();
    m_worker->waitForStarted();
}

void HookSequence::takeEnd(const ExitStatus &status, const QString &reason)
{
    const qint64 pid = m_worker->pid();
    report(events::HookExited{pid, status, commandText(current())});
    if (!status.isSuccess()) {
        const bool isBefore = m_when == When::Before;
        Sentence text = isBefore ? Sentence::tr("A command before the launch failed (%1): %2.")
                                 : Sentence::tr("A command after the launch failed (%1): %2.");
        if (m_isCutShort)
            text = Sentence::tr("A command was ended (%1): %2.");
        const bool endsTheLaunch = isBefore && !current().mayFail && !m_isCutShort;
        text = text.arg(reason.isEmpty() ? status.text() : Sentence(reason), commandText(current()));
        if (endsTheLaunch)
            report(events::BeforeFailed{pid, status, text});
        else
            report(events::Note{.text = text, .pid = pid, .status = status});
        m_isCutShort = m_isCutShort || endsTheLaunch;
    }
    ++m_index;
    next();
}

void HookSequence::giveUp()
{
    disconnect(m_worker.get(), nullptr, this, nullptr);
    if (const auto process = readProcess(static_cast<pid_t>(pid())))
        Q_EMIT happened(survivedEvent(*process));
    leaveBehind(std::move(m_worker));
    Q_EMIT finished(false);
}

void HookSequence::tearDown(int graceSeconds)
{
    if (graceSeconds == 0) {
        kill();
        return;
    }
    m_isCutShort = true;
    m_limit.start(graceSeconds * 1000);
    if (m_worker) {
        m_worker->signalGroup(SIGTERM);
        m_worker->signalGroup(SIGCONT);
    }
}

void HookSequence::kill()
{
    m_isCutShort = true;
    m_isKilled = true;
    if (pid() == 0)
        return;
    m_worker->signalGroup(SIGKILL);
    m_limit.start(unkillableAfter);
}

NodeRun::NodeRun(LaunchPlan plan, QString node)
    : m_plan(std::move(plan))
    , m_node(std::move(node))
{
}

void NodeRun::start()
{
    if (m_plan.adopted) {
        startAdopted();
        return;
    }
    if (m_plan.before.empty()) {
        startWorkers();
        return;
    }
    m_before = std::make_unique<HookSequence>(m_plan.before, HookSequence::When::Before);
    connect(m_before.get(), &HookSequence::happened, this, &NodeRun::pass);
    connect(m_before.get(), &HookSequence::finished, this,
            [this](bool ok) { ok ? startWorkers() : startAfter(); });
    m_before->start();
}

void NodeRun::startAdopted()
{
    m_stage = Stage::Adopted;
    m_adopted = std::make_unique<AdoptedRun>(m_plan);
    connect(m_adopted.get(), &AdoptedRun::happened, this, &NodeRun::pass);
    connect(m_adopted.get(), &AdoptedRun::done, this, &NodeRun::finish);
    m_adopted->start();
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
    connect(m_workers.get(), &WorkerGroup::happened, this, &NodeRun::pass);
    connect(m_workers.get(), &WorkerGroup::printed, this, &NodeRun::printed);
    connect(m_workers.get(), &WorkerGroup::done, this, &NodeRun::startAfter);
    spareIn(*m_workers);
    startFinder();
    m_workers->start();
    m_workers->endWorkers(m_unwanted, true);
}

void NodeRun::startFinder()
{
    const auto console = std::ranges::find_if(m_plan.processes, [this](const ProcessPlan &process) {
        return process.role == Role::Console && process.node == m_node;
    });
    if (console == m_plan.processes.end())
        return;
    m_finder = std::make_unique<RankFinder>(RankGround::below(*console));
    connect(m_finder.get(), &RankFinder::happened, this, &NodeRun::pass);
    connect(m_workers.get(), &WorkerGroup::reaped, m_finder.get(), &RankFinder::takeEnd);
    // A launcher may leave its ranks to themselves.
    m_workers->setGoesOn([this, isTold = false]() mutable {
        const bool goesOn = m_end == NodeEnd::NotAsked && m_finder->looksAlive();
        if (goesOn && !std::exchange(isTold, true))
            report(events::Note{Sentence::tr("The command has ended; the ranks that it started go on.")});
        return goesOn;
    });
    m_finder->start();
}

void NodeRun::nameRank(int process, const ProcessPlan &found, qint64 pid)
{
    const auto size = static_cast<std::size_t>(process) + 1;
    constexpr std::size_t most = 65536;
    if ((!m_finder && !m_adopted) || size > most)
        return;
    if (m_plan.processes.size() < size)
        m_plan.processes.resize(size);
    m_plan.processes[size - 1] = found;
    if (m_adopted)
        m_adopted->name(process, found, pid);
    else
        m_finder->name(process, found, pid);
}

qint64 NodeRun::pidOf(int process) const
{
    if (m_adopted)
        return m_adopted->pidOf(process);
    if (m_stage != Stage::Workers)
        return 0;
    const qint64 found = m_finder ? m_finder->pidOf(process) : 0;
    return found > 0 ? found : m_workers->pidOf(process);
}

void NodeRun::startAfter()
{
    m_stage = Stage::After;
    if (m_finder)
        m_finder->finish();
    const bool hasTime = m_end < NodeEnd::Stop || (m_end == NodeEnd::Stop && m_plan.graceSeconds > 0);
    if (!hasTime && !m_plan.after.empty())
        report(
            events::Note{Sentence::tr("Commands after the launch are skipped: there is no time for them.")});
    if (!hasTime || m_plan.after.empty()) {
        startRest();
        return;
    }
    m_after = std::make_unique<HookSequence>(m_plan.after, HookSequence::When::After);
    connect(m_after.get(), &HookSequence::happened, this, &NodeRun::pass);
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
    connect(m_rest.get(), &WorkerGroup::happened, this, &NodeRun::pass);
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
    case Stage::Adopted:
        if (how == NodeEnd::Kill)
            m_adopted->kill();
        else
            m_adopted->detach();
        break;
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
    if (m_adopted && kill)
        m_adopted->killProcesses(processes);
    if (m_stage == Stage::Before)
        m_unwanted += processes;
    else if (m_stage == Stage::Workers)
        m_workers->endWorkers(processes, kill);
    if (m_finder)
        m_finder->end(processes, kill, m_plan.graceSeconds);
}

SignalTarget NodeRun::targetOf(int process) const
{
    if (m_adopted)
        return m_adopted->targetOf(process);
    if (m_finder && m_finder->pidOf(process) > 0)
        return m_finder->targetOf(process);
    return m_stage == Stage::Workers ? m_workers->targetOf(process) : SignalTarget();
}

QList<int> NodeRun::send(const SignalRequest &request)
{
    const auto reaches = [number = request.number](const SignalTarget &target) {
        if (target.pid <= 0)
            return false;
        Terminal *terminal = number == SIGINT && target.worker ? target.worker->terminal() : nullptr;
        if (terminal && terminal->interrupt())
            return true;
        const auto pid = static_cast<pid_t>(target.pid);
        return ::kill(target.worker ? -pid : pid, number) == 0;
    };
    QList<int> gone;
    for (const int process : request.processes) {
        const SignalTarget target = targetOf(process);
        if (!reaches(target)) {
            gone << process;
            continue;
        }
        target.sent->note(process, request.number);
        report(
            events::SignalSent{process, target.pid, ExitStatus{ExitStatus::Kind::Signalled, request.number}});
    }
    return gone;
}

void NodeRun::spare(qint64 pid)
{
    m_spared.insert(pid);
    for (WorkerGroup *group : groups())
        group->spare(pid);
}

void NodeRun::spareLooker(qint64 pid)
{
    m_lookers.insert(pid);
    spare(pid);
    for (WorkerGroup *group : groups())
        group->setLookedAt(true);
}

void NodeRun::spareNoMore(qint64 pid)
{
    m_spared.erase(pid);
    m_lookers.erase(pid);
    for (WorkerGroup *group : groups()) {
        group->spareNoMore(pid);
        group->setLookedAt(!m_lookers.empty());
    }
}

void NodeRun::spareIn(WorkerGroup &group) const
{
    for (const qint64 pid : m_spared)
        group.spare(pid);
}

std::vector<WorkerGroup *> NodeRun::groups() const
{
    std::vector<WorkerGroup *> groups{m_workers.get(), m_rest.get()};
    std::erase(groups, nullptr);
    return groups;
}

void NodeRun::type(const TerminalInput &input)
{
    if (m_stage == Stage::Workers)
        m_workers->type(input);
}

void NodeRun::childEnded()
{
    for (WorkerGroup *group : groups())
        group->childEnded();
}

void NodeRun::finish()
{
    report(events::NodeDone());
    Q_EMIT done();
}

void NodeRun::pass(RunEvent event)
{
    event.node = m_node;
    Q_EMIT happened(event);
}

} // namespace rankdeck
