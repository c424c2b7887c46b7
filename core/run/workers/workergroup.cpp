#include "run/workers/workergroup.h"

#include "run/process/processsettings.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace rankdeck
{

/// A program reacts to a signal within this time, for example by writing a checkpoint.
constexpr std::chrono::seconds mayActFor{60};

constexpr qint64 refillMs = 60'000;

static Hold holdFrom(char state)
{
    if (state == 'T')
        return Hold::Suspended;
    return state == 't' ? Hold::Traced : Hold::None;
}

/// Orphans that ended by themselves are reaped this late: ranks may leave many, and each search costs time.
constexpr int reapMs = 1000;
/// Forking one process and loading another's program overlap where QProcess forks, as since Qt 6.6 (before,
/// its vfork waits for the program); a few are enough to keep the cpus busy.
constexpr std::size_t startsAtOnce = 8;
/// The interval of the search for held processes: a second, or more with many processes, so that the search
/// takes a two-hundredth of the time.
constexpr int holdMs = 1000;
constexpr int holdMsPerWorker = 4;

void SentSignals::note(int process, int number, Clock::time_point now)
{
    if (number != SIGSTOP && number != SIGCONT)
        m_last[process] = {number, now};
}

void SentSignals::explain(int process, ExitStatus &status, Clock::time_point now) const
{
    const auto sent = m_last.find(process);
    if (sent == m_last.end() || status.isSuccess())
        return;
    const int number = sent->second.number;
    const bool isBySignal = status.kind == ExitStatus::Kind::Signalled && status.number == number;
    const bool isAfterSignal = status.kind == ExitStatus::Kind::Exited &&
                               (status.number == 128 + number || now - sent->second.when <= mayActFor);
    if (isBySignal || isAfterSignal)
        status.requestedSignal = number;
}

std::optional<RunEvent> HoldWatch::take(int process, qint64 pid, char state, qint64 now)
{
    const Hold hold = holdFrom(state);
    const auto known = m_seen.find(process);
    if (known == m_seen.end() && hold == Hold::None)
        return std::nullopt;
    Seen &seen = known == m_seen.end() ? m_seen[process] : known->second;
    const bool isSettled = hold != Hold::Traced || seen.last == hold;
    seen.last = hold;
    if (hold == seen.told || !isSettled || !mayTell(seen, now))
        return std::nullopt;
    seen.told = hold;
    if (hold == Hold::None)
        return RunEvent::now(events::ProcessReleased{process, pid});
    return RunEvent::now(events::ProcessHeld{process, pid, hold});
}

QList<RunEvent> HoldWatch::look(const std::vector<qint64> &pids, bool areLookedAt)
{
    QList<RunEvent> events;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    for (int process = 0; process < static_cast<int>(pids.size()); ++process) {
        const qint64 pid = pids[static_cast<std::size_t>(process)];
        const auto seen = pid > 0 ? readProcess(static_cast<pid_t>(pid)) : std::nullopt;
        if (!seen || (areLookedAt && holdFrom(seen->state) == Hold::Traced))
            continue;
        if (const auto event = take(process, pid, seen->state, now))
            events << *event;
    }
    return events;
}

bool HoldWatch::mayTell(Seen &seen, qint64 now)
{
    const qint64 refills = (now - seen.refilledAt.value_or(now)) / refillMs;
    seen.tellings = static_cast<int>(std::min<qint64>(mostTellings, seen.tellings + refills));
    seen.refilledAt =
        seen.tellings == mostTellings ? now : seen.refilledAt.value_or(now) + refills * refillMs;
    return seen.tellings > 0 && seen.tellings-- > 0;
}

WorkerGroup::WorkerGroup(const LaunchPlan &plan, QString node, StrayFilter isOurs)
    : m_plan(plan)
    , m_node(std::move(node))
    , m_isOurs(std::move(isOurs))
{
    m_workers.resize(m_plan.processes.size());
    m_graceTimer.setTimerType(Qt::PreciseTimer); // Other timers may be early; the grace is a promise.
    connect(&m_graceTimer, &QTimer::timeout, this, &WorkerGroup::kill);
    connect(&m_sweepTimer, &QTimer::timeout, this, [this] { sweep(Reach::Children); });
    connect(&m_deeperTimer, &QTimer::timeout, this, [this] { sweep(Reach::Descendants); });
    connect(&m_unkillableTimer, &QTimer::timeout, this, &WorkerGroup::giveUp);
    connect(&m_holdTimer, &QTimer::timeout, this, [this] {
        std::vector<qint64> pids;
        for (int process = 0; process < static_cast<int>(m_workers.size()); ++process)
            pids.push_back(pidOf(process));
        for (const RunEvent &event : m_holds.look(pids, m_areLookedAt))
            report(event);
    });
}

WorkerGroup::~WorkerGroup()
{
    for (const auto &worker : m_workers) { // One that still runs reports its end while it is deleted.
        if (worker)
            worker->disconnect(this);
    }
}

void WorkerGroup::start()
{
    makeScratch();
    m_starting = true;
    std::vector<Worker *> asked;
    for (int index = 0; index < static_cast<int>(m_plan.processes.size()) && m_signal == 0; ++index) {
        const ProcessPlan &process = m_plan.processes[static_cast<std::size_t>(index)];
        if (process.node != m_node || process.isFound)
            continue;
        asked.push_back(addWorker(index));
        if (asked.size() > startsAtOnce)
            asked[asked.size() - 1 - startsAtOnce]->waitForStarted();
    }
    for (Worker *worker : asked)
        worker->waitForStarted();
    m_starting = false;
    m_holdTimer.start(std::max(holdMs, holdMsPerWorker * static_cast<int>(asked.size())));
    if (runningPids().empty())
        sweep(Reach::Children);
}

Worker *WorkerGroup::addWorker(int index, const QList<qint64> &logged)
{
    const auto at = static_cast<std::size_t>(index);
    QMap<QString, QString> variables;
    if (!m_scratchPath.isEmpty())
        variables.insert(m_plan.scratch->variable, m_scratchPath);
    m_workers[at] = std::make_unique<Worker>(m_plan.processes[at], variables);
    Worker *worker = m_workers[at].get();
    connect(worker, &Worker::started, this, [this, index, logged](qint64 pid) {
        report(events::ProcessStarted{index, pid, logged});
        // It was still starting when the others were signalled.
        if (m_signal != 0)
            m_workers[static_cast<std::size_t>(index)]->signalGroup(m_signal);
    });
    connect(worker, &Worker::failedToStart, this, [this, index](int errorNumber, const QString &reason) {
        report(events::ProcessNotStarted{index, ExitStatus{ExitStatus::Kind::NotStarted, errorNumber},
                                         Sentence(reason)});
        if (m_starting)
            tearDown();
        else if (!hasWorkers())
            sweep(Reach::Children);
    });
    connect(worker, &Worker::exited, this, [this, index, worker](ExitStatus status) {
        m_sent.explain(index, status);
        m_holds.forget(index);
        report(events::ProcessExited{index, worker->pid(), status});
        if (!m_starting && !hasWorkers())
            sweep(Reach::Children);
    });
    connect(worker, &Worker::printed, this,
            [this, index](QByteArrayView bytes) { Q_EMIT printed(index, bytes); });
    worker->start(m_environment);
    return worker;
}

void WorkerGroup::makeScratch()
{
    if (!m_plan.scratch)
        return;
    const auto &[variable, roots] = *m_plan.scratch;
    m_scratchPath = makeScratchDirectory(roots);
    note(
        m_scratchPath.isEmpty()
            ? Sentence::tr("%1 is left unchanged: none of %2 is writable.").arg(variable, roots.join(", "_L1))
            : Sentence::tr("%1 is %2; it is removed at the end.").arg(variable, m_scratchPath));
}

void WorkerGroup::tearDown()
{
    if (m_signal != 0)
        return;
    if (m_plan.graceSeconds == 0)
        return kill();
    m_signal = SIGTERM;
    m_toStart.clear();
    m_graceTimer.start(m_plan.graceSeconds * 1000);
    signalEverything(SIGTERM);
}

void WorkerGroup::kill()
{
    m_signal = SIGKILL;
    m_toStart.clear();
    m_graceTimer.stop();
    m_unkillableTimer.start();
    signalEverything(SIGKILL);
}

/// Returns null if there is no such worker or it does not run.
Worker *WorkerGroup::running(int process) const
{
    Worker *worker = process >= 0 && process < static_cast<int>(m_workers.size())
                         ? m_workers[static_cast<std::size_t>(process)].get()
                         : nullptr;
    return worker && worker->isRunning() ? worker : nullptr;
}

void WorkerGroup::type(const TerminalInput &input)
{
    for (const int process : input.processes) {
        const Worker *worker = running(process);
        Terminal *terminal = worker ? worker->terminal() : nullptr;
        if (!terminal)
            continue;
        if (input.size)
            terminal->resize(*input.size);
        if (terminal->type(input.bytes))
            m_deaf.erase(process);
        else if (m_deaf.insert(process).second)
            note(Sentence::tr("%1 does not read its input; anything typed until it does is lost.")
                     .arg(m_plan.processes[static_cast<std::size_t>(process)].label()));
    }
}

void WorkerGroup::endWorkers(const QList<int> &processes, bool kill)
{
    for (const int process : processes) {
        if (!running(process))
            continue;
        m_toStart.erase(process);
        if (kill)
            endingOf(process).kill();
        else
            endingOf(process).stop(m_plan.graceSeconds);
    }
}

/// @param process has been started.
WorkerEnding &WorkerGroup::endingOf(int process)
{
    const auto index = static_cast<std::size_t>(process);
    std::unique_ptr<WorkerEnding> &ending = m_endings[process];
    if (!ending) {
        ending = std::make_unique<WorkerEnding>(*m_workers[index], m_plan.processes[index]);
        connect(ending.get(), &WorkerEnding::signalled, this, &WorkerGroup::reportSwept);
        connect(ending.get(), &WorkerEnding::failedToKill, this, &WorkerGroup::tellSurvival);
        // Queued: the ending that says it is done must not be deleted for the next life.
        connect(
            ending.get(), &WorkerEnding::done, this, [this, process] { startNext(process); },
            Qt::QueuedConnection);
    }
    return *ending;
}

bool WorkerGroup::startAgain(int process)
{
    const auto index = static_cast<std::size_t>(process);
    if (process < 0 || index >= m_workers.size() || !m_workers[index] || m_signal != 0 || m_done)
        return false;
    m_toStart.insert(process);
    WorkerEnding &ending = endingOf(process);
    if (ending.isDone())
        startNext(process);
    else
        ending.stop(m_plan.graceSeconds); // Also what an ended worker has left behind: it may hold a device.
    return true;
}

/// Keeps a file that says how an earlier life ended, under the first free name.
static void putAside(const QString &path)
{
    constexpr int most = 1000;
    for (int number = 1; QFile::exists(path) && number < most; ++number)
        QFile::rename(path, path + '.'_L1 + QString::number(number));
}

/// Makes room for the files of another life, and returns the sizes of the logs that go on.
static QList<qint64> keepFilesOfLastLife(const ProcessPlan &plan)
{
    const QStringList files = writtenFiles(plan);
    putAside(files[2]);
    putAside(files[3]);
    QList<qint64> logged{QFileInfo(plan.logFile).size()};
    if (!plan.stderrFile.isEmpty())
        logged << QFileInfo(plan.stderrFile).size();
    return logged;
}

void WorkerGroup::startNext(int process)
{
    if (m_toStart.erase(process) == 0)
        return;
    const ProcessPlan &plan = m_plan.processes[static_cast<std::size_t>(process)];
    if (running(process)) {
        report(events::StartRefused{
            process, Sentence::tr("%1 cannot be started again: it could not be ended.").arg(plan.label())});
        return;
    }
    m_endings.erase(process);
    m_sent.forget(process);
    addWorker(process, keepFilesOfLastLife(plan))->waitForStarted(); // Its end may be asked for at once.
}

void WorkerGroup::childEnded()
{
    for (const auto &[process, ending] : m_endings)
        ending->childEnded();
    const int delay = m_signal == 0 ? reapMs : 0; // Many may end at the same time.
    if (!m_done && (!m_sweepTimer.isActive() || m_sweepTimer.remainingTime() > delay))
        m_sweepTimer.start(delay);
}

std::vector<qint64> WorkerGroup::runningPids() const
{
    std::vector<qint64> pids;
    for (const auto &worker : m_workers) {
        if (worker && worker->isRunning())
            pids.push_back(worker->pid());
    }
    return pids;
}

qint64 WorkerGroup::pidOf(int process) const
{
    const Worker *worker = running(process);
    return worker ? worker->pid() : 0;
}

void WorkerGroup::signalEverything(int signalNumber)
{
    for (const auto &worker : m_workers) {
        if (!worker || !worker->isRunning())
            continue;
        m_signalled.emplace(-worker->pid(), signalNumber);
        worker->signalGroup(signalNumber);
        worker->signalGroup(SIGCONT); // A stopped process sees SIGTERM only once it goes on.
    }
    m_deeperTimer.start();
    sweep(Reach::Children);
}

void WorkerGroup::signalStrays(const std::vector<ProcessInfo> &strays)
{
    const std::vector<qint64> workers = runningPids();
    for (const ProcessInfo &stray : strays) {
        // A worker that is being started has no group of its own yet.
        const bool isWorkers = std::ranges::any_of(
            workers, [&](qint64 worker) { return worker == stray.pid || worker == stray.group; });
        // It got the signal with its worker's group and may only be a little slower to end.
        const bool isEnding = m_deeperTimer.isActive() && m_signalled.contains({-stray.group, m_signal});
        if (stray.state == 'Z' || isWorkers || isEnding)
            continue;
        const bool isNew = m_signalled.emplace(stray.pid, m_signal).second;
        // Its pid may be reused from a process that got the signal before; SIGKILL is sent again to be sure.
        if (!isNew && m_signal != SIGKILL)
            continue;
        ::kill(stray.pid, m_signal);
        ::kill(stray.pid, SIGCONT);
        if (isNew)
            reportSwept(stray, m_signal);
    }
}

std::vector<ProcessInfo> WorkerGroup::listOurs(Reach reach)
{
    const std::vector<qint64> workers = runningPids();
    std::vector<qint64> awaited = workers;
    awaited.insert(awaited.end(), m_spared.begin(), m_spared.end());
    std::vector<ProcessInfo> strays =
        listStrays(reach, awaited, [this](const ProcessInfo &process, const ExitStatus &status) {
            Q_EMIT reaped(process, status);
        });
    std::erase_if(strays, [this](const ProcessInfo &stray) { return m_spared.contains(stray.group); });
    // While workers run and no end was requested it does not matter whose the others are.
    if (m_isOurs && (m_signal != 0 || workers.empty()))
        std::erase_if(strays, [this](const ProcessInfo &stray) { return !m_isOurs(stray); });
    return strays;
}

/// A process that is started after the search is the child of a signalled process; it is reparented to this
/// process, with SIGCHLD, when that one has ended.
void WorkerGroup::sweep(Reach reach)
{
    if (m_done)
        return;
    const bool workersRun = hasWorkers();
    const std::vector<ProcessInfo> strays = listOurs(reach);
    if (m_signal != 0)
        signalStrays(strays);
    if (strays.empty() && !workersRun)
        return finish();
    if (workersRun || m_signal != 0)
        return;
    if (m_goesOn && m_goesOn())
        return m_sweepTimer.start(reapMs);
    if (m_plan.destroyWhenFinished)
        return tearDown();
    for (const ProcessInfo &stray : listOurs(Reach::Descendants))
        note(Sentence::tr("%1 continues: this launch does not stop remaining processes.").arg(nameOf(stray)));
    finish();
}

void WorkerGroup::tellSurvival(const ProcessInfo &process)
{
    const auto worker = std::ranges::find_if(m_workers, [&](const std::unique_ptr<Worker> &one) {
        return one && one->isRunning() && one->pid() == process.pid;
    });
    report(survivedEvent(process,
                         worker == m_workers.end() ? -1 : static_cast<int>(worker - m_workers.begin())));
}

void WorkerGroup::giveUp()
{
    for (const ProcessInfo &stray : listOurs(Reach::Descendants))
        tellSurvival(stray);
    for (std::unique_ptr<Worker> &worker : m_workers) {
        if (!worker || !worker->isRunning())
            continue;
        if (const auto process = readProcess(static_cast<pid_t>(worker->pid())))
            tellSurvival(*process);
        worker->disconnect(this);
        leaveBehind(std::move(worker));
    }
    finish();
}

void WorkerGroup::finish()
{
    m_done = true;
    m_endings.clear();
    m_holdTimer.stop();
    for (OneShotTimer *timer : {&m_graceTimer, &m_sweepTimer, &m_deeperTimer, &m_unkillableTimer})
        timer->stop();
    if (!m_scratchPath.isEmpty() && !QDir(m_scratchPath).removeRecursively())
        note(Sentence::tr("%1 could not be removed completely.").arg(m_scratchPath));
    Q_EMIT done();
}

void WorkerGroup::report(RunEvent event)
{
    event.node = m_node;
    Q_EMIT happened(event);
}

} // namespace rankdeck
