#include "agent/supervise/guardian.h"

#include "agent/transport/allocation.h"
#include "base/regularfile.h"
#include "run/record/rundirectory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rankdeck
{

static pid_t guardianPid = 0;

/// Nothing while it lives. It may be no child of this process any more, if the guardian before had seen its
/// end.
static std::optional<ExitStatus> lookAfter(pid_t guarded)
{
    continueIfStopped(guarded);
    siginfo_t end{};
    if (waitid(P_PID, static_cast<id_t>(guarded), &end, WEXITED | WNOHANG) != 0)
        return errno == ECHILD ? std::optional(ExitStatus{ExitStatus::Kind::Signalled, SIGKILL})
                               : std::nullopt;
    if (end.si_pid == 0)
        return std::nullopt;
    const bool exited = end.si_code == CLD_EXITED;
    return ExitStatus{exited ? ExitStatus::Kind::Exited : ExitStatus::Kind::Signalled, end.si_status};
}

/// Sleeps until `guarded` has ended.
static ExitStatus guard(pid_t guarded, const sigset_t &awaited)
{
    for (;;) {
        if (const auto status = lookAfter(guarded))
            return *status;
        const int number = sigwaitinfo(&awaited, nullptr);
        if (number == SIGTERM || number == SIGINT)
            kill(guarded, number);
    }
}

/// Changes the process's name and command line, so that a command that kills all processes of Rankdeck by
/// either does not find this one.
static void changeName(const char *name, char **arguments)
{
    prctl(PR_SET_NAME, name);
    char *const begin = arguments[0];
    if (!begin)
        return;
    char *end = begin;
    for (char **argument = arguments; *argument; ++argument) {
        end = *argument + std::strlen(*argument) + 1;
        *argument = strdup(*argument); // Still to be read.
    }
    const auto room = static_cast<std::size_t>(end - begin);
    std::memset(begin, 0, room);
    std::strncpy(begin, name, room - 1);
}

/// The keeper's part of forkGuarded().
static GuardedProcess keep(pid_t guardian, const pid_t &guarded, const sigset_t &awaited)
{
    const ExitStatus end = guard(guardian, awaited);
    if (end.kind == ExitStatus::Kind::Exited || guarded == 0)
        _exit(end.shellCode()); // The child has done its part.
    return {guarded, guard(guarded, awaited)};
}

std::optional<GuardedProcess> forkGuarded(char **arguments)
{
    sigset_t awaited;
    sigset_t before;
    sigemptyset(&awaited);
    for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
        sigaddset(&awaited, number);
    signal(SIGCHLD, SIG_DFL); // A parent that ignores SIGCHLD does not learn of its child's exit.
    sigprocmask(SIG_BLOCK, &awaited, &before);
    void *const shared =
        mmap(nullptr, sizeof(pid_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const pid_t guardian = shared == MAP_FAILED ? -1 : fork();
    std::optional<GuardedProcess> ended;
    if (guardian > 0) {
        becomeSubreaper();
        changeName("rankdeck-keeper", arguments);
        ended = keep(guardian, *static_cast<pid_t *>(shared), awaited);
    } else if (const pid_t self = getpid(), guarded = fork(); guarded > 0) {
        if (guardian == 0)
            *static_cast<pid_t *>(shared) = guarded;
        becomeSubreaper();
        prctl(PR_SET_NAME, "rankdeck-guard");
        ended = GuardedProcess{guarded, guard(guarded, awaited)};
        if (guardian == 0)
            kill(getppid(), SIGCONT); // A keeper that was stopped could not end.
    } else if (guarded == 0) {
        guardianPid = self;
        prctl(PR_SET_PDEATHSIG, SIGCHLD);
    }
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return ended;
}

std::optional<SupervisorId> guardianOfThisProcess()
{
    if (guardianPid == 0)
        return std::nullopt;
    return supervisorIdOf(guardianPid);
}

LostRun::LostRun(QString runDirectory, const GuardedProcess &supervisor, QObject *parent)
    : QObject(parent)
    , m_directory(std::move(runDirectory))
    , m_supervisor(supervisor)
    , m_signals({SIGCHLD, SIGTERM, SIGINT})
{
    signal(SIGHUP, SIG_IGN);
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, &m_killer, &StrayKiller::start);
    connect(&m_signals, &UnixSignals::received, this, [this](int number) {
        if (number == SIGCHLD)
            childEnded();
    });
    connect(&m_killer, &StrayKiller::reaped, this, [this](qint64 pid, const ExitStatus &status) {
        if (const auto end = m_state.endOf(pid, status))
            record(*end);
    });
    connect(&m_killer, &StrayKiller::killed, this,
            [this](const ProcessInfo &stray) { record(sweptEvent(stray, SIGKILL)); });
    connect(&m_killer, &StrayKiller::failedToKill, this,
            [this](const ProcessInfo &stray) { record(RunEvent::now(events::Note{survivalText(stray)})); });
    connect(&m_killer, &StrayKiller::done, this, &LostRun::conclude);
}

void LostRun::start()
{
    const auto loaded = readRunRecord(m_directory);
    const bool isOurs = loaded && isLive(loaded->phase) &&
                        (!loaded->supervisor || loaded->supervisor->pid == m_supervisor.pid);
    if (loaded && !isOurs) {
        Q_EMIT finished();
        return;
    }
    // Without a directory, which a user may have removed, only the processes are stopped.
    if (loaded) {
        m_record = *loaded;
        m_journal.emplace(m_directory);
    }
    readJournal();
    m_record.ended = QDateTime::currentDateTimeUtc();
    const Sentence loss =
        Sentence::tr("%1 (%2)").arg(lossText(m_record.ended, true), m_supervisor.status.text());
    if (!m_record.failure)
        m_record.failure = failureOfLoss(m_record, loss);
    record(RunEvent::now(events::TearDown{loss}));
    for (const pid_t agent : m_agents) {
        // SIGCHLD reports a stop from now on. A running agent is left alone: SIGCONT would take a debugger's
        // stop away.
        if (const auto process = readProcess(agent); process && process->state == 'T')
            kill(agent, SIGCONT);
    }
    if (anAgentLives())
        m_limit.start(std::chrono::seconds(m_record.plan.graceSeconds) + 2 * unkillableAfter);
    else
        m_killer.start();
}

void LostRun::readJournal()
{
    m_state.setPlan(m_record.plan);
    RegularFile journal(journalPath(m_directory));
    if (!journal.open(QIODevice::ReadOnly))
        return;
    while (!journal.atEnd()) {
        const auto event = RunEvent::fromLine(journal.readLine());
        if (!event)
            continue;
        m_state.apply(*event);
        if (const auto *allocation = event->as<events::Allocation>()) {
            m_job = allocation->job;
            addIfOwn(allocation->pid);
        } else if (const auto *agent = event->as<events::AgentStarted>()) {
            addIfOwn(agent->pid);
        }
    }
}

/// A child of the supervisor's is one of the guardian's now.
void LostRun::addIfOwn(qint64 pid)
{
    const auto process = readProcess(static_cast<pid_t>(pid));
    if (process && process->parent == getpid())
        m_agents.insert(process->pid);
}

bool LostRun::anAgentLives() const
{
    return std::any_of(m_agents.begin(), m_agents.end(), [](pid_t agent) {
        const auto process = readProcess(agent);
        return process && process->parent == getpid() && process->state != 'Z';
    });
}

void LostRun::childEnded()
{
    for (const pid_t agent : m_agents)
        continueIfStopped(agent);
    if (m_limit.isActive() && !anAgentLives()) {
        m_limit.stop();
        m_killer.start();
        return;
    }
    m_killer.childEnded();
}

void LostRun::conclude()
{
    if (!m_job.isEmpty())
        cancelSlurmJob(m_job); // salloc may have been killed too.
    m_record.phase = RunPhase::Lost;
    m_record.exitCode = m_record.failure->status.shellCode();
    if (m_journal) {
        writeRunRecord(m_directory, m_record);
        giveBackRoomForRunRecord(m_directory);
    }
    record(RunEvent::now(events::Finished{m_record.phase, m_record.exitCode}));
    Q_EMIT finished();
}

void LostRun::record(const RunEvent &event)
{
    if (m_journal)
        m_journal->append(event);
    m_state.apply(event);
}

} // namespace rankdeck
