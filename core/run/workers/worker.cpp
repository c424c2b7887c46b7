#include "run/workers/worker.h"

#include "base/program.h"
#include "run/process/processsettings.h"
#include "run/strays/leftovers.h"

#include <QDir>
#include <QFileInfo>

#include <cerrno>
#include <cstring>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rankdeck
{

static std::vector<ProcessInfo> listChildren()
{
    std::vector<ProcessInfo> children;
    for (const pid_t pid : ownChildren()) {
        if (auto child = readProcess(pid))
            children.push_back(std::move(*child));
    }
    return children;
}

static int problemWith(const QString &path)
{
    const QByteArray name = QFile::encodeName(path);
    if (access(name.constData(), F_OK) != 0)
        return errno;
    if (QFileInfo(path).isDir())
        return EACCES;
    return access(name.constData(), X_OK) == 0 ? 0 : errno;
}

/// Runs between fork and exec: only calls that are safe there.
static void becomeRank(pid_t agent, const ProcessSettings &settings, const Terminal *terminal)
{
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The agent may have died before the line above.
    if (getppid() != agent)
        _exit(127);
    if (terminal && !terminal->adopt())
        _exit(127);
    // Ignored signals stay ignored across exec; a rank must not inherit ours.
    for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD})
        signal(number, SIG_DFL);
    if (const char *words = settings.apply()) {
        // Standard error is the rank's log by now.
        const auto written = write(STDERR_FILENO, words, std::strlen(words));
        _exit(written > 0 ? 126 : 127);
    }
}

/// Waits for the end of a child that could not become its program: until then it looks like a stray. Its exit
/// code stays for QProcess.
static void awaitEnd(pid_t child)
{
    siginfo_t info{};
    while (child > 0 && waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
}

WorkerEnding::WorkerEnding(Worker &worker, ProcessPlan plan)
    : m_worker(worker)
    , m_plan(std::move(plan))
{
    m_grace.setTimerType(Qt::PreciseTimer);
    connect(&m_grace, &QTimer::timeout, this, &WorkerEnding::kill);
    connect(&m_look, &QTimer::timeout, this, [this] { sweep(Reach::Children); });
    connect(&m_deeper, &QTimer::timeout, this, [this] { sweep(Reach::Descendants); });
    connect(&m_unkillable, &QTimer::timeout, this, &WorkerEnding::giveUp);
    // SIGCHLD may arrive before the worker knows of its own exit.
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
        m_look.start(0); // Many may end at the same time.
}

/// Returns true for a process that was reparented to this one when its parent ended, in an unknown session.
bool WorkerEnding::isOrphanOfWorker(const ProcessInfo &process)
{
    const auto other = m_others.find(process.pid);
    if (process.parent != getpid() || (other != m_others.end() && other->second == process.startTime))
        return false;
    const QProcessEnvironment environment = startEnvironment(process.pid);
    if (hasVariablesOf(m_plan, environment))
        return true;
    // While a process loads a program its environment cannot be read for a moment: look again.
    if (environment.isEmpty() && m_unclear.emplace(process.pid, process.startTime).second) {
        m_deeper.start();
        return false;
    }
    m_others[process.pid] = process.startTime;
    return false;
}

/// Returns the worker and the processes it started, among the descendants of this process or only its
/// children.
std::vector<ProcessInfo> WorkerEnding::findMembers(Reach reach)
{
    const auto worker = static_cast<pid_t>(m_worker.pid());
    const pid_t ownSession = getsid(0);
    const std::vector<ProcessInfo> all = reach == Reach::Descendants ? descendants(getpid()) : listChildren();
    // A worker that had ended before may have left its pid to another process, and the session with it.
    const bool isReused =
        !m_worker.isRunning() && std::ranges::find(all, worker, &ProcessInfo::pid) != all.end();
    std::set<pid_t> sessions;
    if (!isReused)
        sessions.insert(worker);
    std::set<pid_t> pids;
    std::vector<ProcessInfo> members;
    // A session that is found late may hold processes that were passed over before.
    std::size_t before = 0;
    do {
        before = pids.size() + sessions.size();
        for (const ProcessInfo &process : all) {
            const auto known = m_known.find(process.pid);
            const bool isMember = (process.pid == worker && !isReused) ||
                                  sessions.contains(process.session) || pids.contains(process.parent) ||
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
    // Before the worker ends and its children lose their parent.
    findMembers(Reach::Descendants);
    m_worker.signalGroup(m_signal);
    m_worker.signalGroup(SIGCONT); // A stopped process sees SIGTERM only once it goes on.
    m_deeper.start();
    sweep(Reach::Descendants);
}

/// A process that is started after the search is the child of a signalled process; it is reparented to this
/// process, with SIGCHLD, when that one has ended.
void WorkerEnding::sweep(Reach reach)
{
    bool isAnyAlive = m_worker.isRunning();
    const std::vector<ProcessInfo> members = findMembers(reach);
    for (const ProcessInfo &member : members) {
        if (member.state == 'Z')
            continue;
        isAnyAlive = true;
        // The process got the signal with the worker's group and may only be a little slower to exit.
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
    Q_EMIT done();
}

ProgramSearch findProgram(const QString &program, const QString &workDir, const QString &searchPath)
{
    if (program.contains('/'_L1)) {
        const QString path = QDir(workDir).absoluteFilePath(program);
        return {path, problemWith(path)};
    }
    ProgramSearch best{program, ENOENT};
    const QStringList folders = searchPath.split(':'_L1, Qt::SkipEmptyParts);
    for (const QString &folder : folders) {
        const QString path = QDir(workDir).absoluteFilePath(folder) + '/'_L1 + program;
        const int problem = problemWith(path);
        if (problem == 0)
            return {path, 0};
        if (problem == EACCES)
            best = {path, EACCES};
    }
    return best;
}

QProcessEnvironment environmentFor(const ProcessPlan &plan, QProcessEnvironment base)
{
    for (const QString &name : plan.removeVariables)
        base.remove(name);
    for (auto it = plan.setVariables.begin(); it != plan.setVariables.end(); ++it)
        base.insert(it.key(), it.value());
    return base;
}

QString searchPathFor(const ProcessPlan &plan, const QProcessEnvironment &base)
{
    const QString name = u"PATH"_s;
    const bool isRemoved = plan.removeVariables.contains(name);
    return plan.setVariables.value(name, isRemoved ? QString() : base.value(name));
}

Worker::Worker(const ProcessPlan &plan, const QMap<QString, QString> &variables)
    : m_plan(plan)
{
    m_plan.setVariables.insert(variables);
    connect(&m_process, &QProcess::started, this, [this] { Q_EMIT started(m_pid); });
    onFailedStart(m_process, this, [this] {
        // Without a pid the system had no process, memory or descriptor left for one.
        const int problem = m_pid == 0 ? EAGAIN : ENOEXEC;
        awaitEnd(static_cast<pid_t>(m_pid));
        Q_EMIT failedToStart(problem, u"%1: %2"_s.arg(m_process.program(), problemOf(m_process)));
    });
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus how) {
        if (m_terminal)
            m_terminal->drain();
        // For a process that a signal ended QProcess hands on the signal's number as the code.
        Q_EMIT exited(
            {how == QProcess::NormalExit ? ExitStatus::Kind::Exited : ExitStatus::Kind::Signalled, code});
    });
}

void Worker::start(const QProcessEnvironment &base)
{
    const QProcessEnvironment environment = environmentFor(m_plan, base);
    const ProgramSearch program =
        findProgram(m_plan.argv.first(), m_plan.workDir, environment.value(u"PATH"_s));
    if (program.errorNumber != 0) {
        Q_EMIT failedToStart(program.errorNumber,
                             u"%1: %2"_s.arg(program.path, errnoWords(program.errorNumber)));
        return;
    }
    for (const QString &directory : m_plan.makeDirectories)
        QDir().mkpath(directory);
    m_process.setProgram(program.path);
    m_process.setArguments(m_plan.argv.mid(1));
    m_process.setWorkingDirectory(m_plan.workDir);
    m_process.setProcessEnvironment(environment);
    if (const auto error = connectStreams()) {
        Q_EMIT failedToStart(EIO, error->sentence());
        return;
    }
    m_process.setChildProcessModifier(
        [agent = getpid(), settings = ProcessSettings(m_plan), terminal = m_terminal.get()] {
            becomeRank(agent, settings, terminal);
        });
    m_process.start();
    m_pid = m_process.processId();
}

std::optional<Error> Worker::connectStreams()
{
    if (m_plan.hasTerminal) {
        auto terminal = Terminal::open(m_plan.logFile);
        if (!terminal)
            return terminal.error();
        m_terminal = std::move(terminal.value());
        connect(m_terminal.get(), &Terminal::printed, this, &Worker::printed);
        // The child puts its terminal in their place.
        m_process.setInputChannelMode(QProcess::ForwardedInputChannel);
        m_process.setProcessChannelMode(QProcess::ForwardedChannels);
        return std::nullopt;
    }
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setStandardOutputFile(m_plan.logFile, QIODevice::Append);
    if (m_plan.stderrFile.isEmpty())
        m_process.setProcessChannelMode(QProcess::MergedChannels);
    else
        m_process.setStandardErrorFile(m_plan.stderrFile, QIODevice::Append);
    return std::nullopt;
}

void Worker::signalGroup(int signalNumber)
{
    if (m_process.state() == QProcess::Running)
        ::kill(static_cast<pid_t>(-m_pid), signalNumber);
}

void leaveBehind(std::unique_ptr<Worker> worker)
{
    // Reachable, so that leak checkers do not report it.
    static auto *const hanging = new std::vector<std::unique_ptr<Worker>>;
    hanging->push_back(std::move(worker));
}

} // namespace rankdeck
